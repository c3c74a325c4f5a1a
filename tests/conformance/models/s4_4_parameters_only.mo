// A model of parameters only is a model.
// expect y = 6
model M
  parameter Real p = 2;
  Real y = 3*p;
  annotation(experiment(StopTime = 1));
end M;
