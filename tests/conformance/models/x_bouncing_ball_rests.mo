// A bouncing ball that rests after five bounces: h <= 0 becomes true five times, and false four times.
// expect n = 5
// expect events = 9
// expect v = 0
// expect h = 0
model M
  Real h(start = 0.5, fixed = true), v(start = 0, fixed = true);
  Boolean fly(start = true, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = if fly then -1 else 0;
  when h <= 0 then
    n = pre(n) + 1;
    fly = n < 5;
    reinit(v, if n < 5 then -0.5*pre(v) else 0);
    reinit(h, 0);
  end when;
  annotation(experiment(StopTime = 5));
end M;
