// On the surface sin(2 y) = x/1.1 has two solutions; the one between both sides of y counts, with a weight in [0, 1].
// expect x = -0.4
// expect y = -0.186084266980163
model M
  Real x(start = -0.86, fixed = true), y;
equation
  y = if x > -0.4 then -1.1 else -0.18;
  der(x) = -x + 1.1*sin(2*y);
  annotation(experiment(StopTime = 20));
end M;
