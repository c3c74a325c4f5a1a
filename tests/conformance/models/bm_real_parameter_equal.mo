// realParameterEqual of Base Modelica.
// expect y = 1
model M
  parameter Real p = 0.5;
  Real y = if realParameterEqual(p, 0.5) then 1 else 2;
  annotation(experiment(StopTime = 1));
end M;
