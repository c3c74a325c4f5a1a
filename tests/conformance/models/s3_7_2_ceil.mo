// ceil jumps at events.
// expect at 0: y = 1
// expect at 0.5: y = 2
// expect y = 3
// expect events = 2
model M
  Real x(start = 0.1, fixed = true), y;
equation
  der(x) = 1;
  y = ceil(2*x);
  annotation(experiment(StopTime = 1));
end M;
