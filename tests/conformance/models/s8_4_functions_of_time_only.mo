// A model without unknowns: its variables are functions of time.
// expect at 0.5: y = 0.25
// expect y = 1
model M
  Real y;
equation
  y = time^2;
  annotation(experiment(StopTime = 1));
end M;
