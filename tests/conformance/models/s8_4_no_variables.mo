// A model without variables runs.
// expect k = 4
model M
  parameter Real p = 1;
  Integer k = 4;
  annotation(experiment(StopTime = 1));
end M;
