// The Boolean keeps itself: x goes up to 1, down to 0.5, up to 1, down to 0.5, and then up to 0.75.
// expect at 1: x = 1
// expect at 1.5: x = 0.5
// expect at 2: x = 1
// expect x = 0.75
// expect b = false
model M
  Real x(start = 0, fixed = true);
  Boolean b(start = false, fixed = true);
equation
  b = x > 1 or pre(b) and x > 0.5;
  der(x) = if b then -1 else 1;
  annotation(experiment(StopTime = 2.75));
end M;
