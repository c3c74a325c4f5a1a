// A relay oscillator: x goes between -1 and 1 with slope 1.
// expect n = 5
// expect x = 0
model M
  Real x(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = if up then 1 else -1;
  when {x > 1, x < -1} then
    up = not pre(up);
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 10));
end M;
