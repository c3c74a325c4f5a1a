// Ticks that come together are one event, in which the slow one is done first: b reads a.
// expect at 0: b = 1
// expect at 0.5: b = 2
// expect at 1: b = 4
// expect at 1.5: b = 6
// expect a = 3
// expect b = 9
// expect events = 4
model M
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true);
equation
  when sample(0, 0.5) then
    b = pre(b) + a;
  end when;
  when sample(0, 1) then
    a = pre(a) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end M;
