// initial() is false after the start.
// expect at 0.5: y = 2
model M
  Real y;
equation
  y = if initial() then 1 else 2;
  annotation(experiment(StopTime = 1));
end M;
