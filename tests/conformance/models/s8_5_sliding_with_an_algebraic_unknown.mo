// y + y^3 is mixed to 0 on x = 0; before, y = -1.
// expect at 0.5: y = -1
// expect at 0.5: x = 0.5
// expect x = 0
// expect y = 0
model M
  Real x(start = 1, fixed = true), y(start = -1);
equation
  der(x) = y;
  y + y^3 = if x > 0 then -2 else 2;
  annotation(experiment(StopTime = 2));
end M;
