// div and mod of Integers.
// expect at 0.75: q = 1
// expect at 0.75: r = 3
// expect q = 2
// expect r = 2
model M
  Integer a(start = 0, fixed = true), q, r;
equation
  when sample(0.1, 0.1) then
    a = pre(a) + 1;
  end when;
  q = div(a, 4);
  r = mod(a, 4);
  annotation(experiment(StopTime = 1));
end M;
