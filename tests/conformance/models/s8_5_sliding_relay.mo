// A relay on the line x + y = 0: reached at t = sqrt(2) - 1 with x = 2 sqrt(2) - 2; on it der(x) = -x.
// expect x = 0.16965083869490746
// expect y = -0.16965083869490746
// expect u = 0.16965083869490746
// expect events = 1
model M
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), u;
equation
  der(x) = y;
  der(y) = u;
  u = if x + y > 0 then -2 else 2;
  annotation(experiment(StopTime = 2));
end M;
