// An input with a declared value is a variable.
// expect at 0.25: y = 1.5
// expect y = 3
model M
  input Real u = 2*time;
  Real y;
equation
  y = u + 1;
  annotation(experiment(StopTime = 1));
end M;
