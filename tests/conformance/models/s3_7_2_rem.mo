// rem(x, y) = x - div(x, y)*y.
// expect at 0: y = -0.2
// expect at 0.4: y = -0.1
// expect y = 0.2
model M
  Real x(start = -0.5, fixed = true), y;
equation
  der(x) = 1;
  y = rem(x, 0.3);
  annotation(experiment(StopTime = 1));
end M;
