// A warning does not end the run.
// expect x = 1
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 0.5, "x is large", AssertionLevel.warning);
  annotation(experiment(StopTime = 1));
end M;
