// sign jumps at events.
// expect at 0.25: y = -0.25
// expect y = 0
// expect events = 1
model M
  Real x(start = -0.5, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = sign(x);
  annotation(experiment(StopTime = 1));
end M;
