// Two samplings whose ticks fall together are one event.
// expect a = 5
// expect b = 3
// expect c = 5
// expect events = 4
model M
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
equation
  when sample(0, 0.25) then
    a = pre(a) + 1;
  end when;
  when sample(0, 0.5) then
    b = pre(b) + 1;
    c = a;
  end when;
  annotation(experiment(StopTime = 1));
end M;
