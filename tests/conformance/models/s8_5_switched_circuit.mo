// A switch that a clock closes: the current decays with another rate.
// expect i = 0.2325441579348896
model M
  Real i(start = 0, fixed = true);
  Boolean closed;
equation
  closed = time < 1;
  der(i) = (if closed then 1 else 0) - i;
  annotation(experiment(StopTime = 2));
end M;
