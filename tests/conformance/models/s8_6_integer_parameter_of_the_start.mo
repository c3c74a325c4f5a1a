// Parameters of other types than Real that initial equations give.
// expect n = 3
// expect b = true
// expect x = 3
model M
  parameter Integer n(fixed = false);
  parameter Boolean b(fixed = false);
  parameter Real r = n + 0.0;
  Real x(start = r, fixed = true);
initial equation
  n = 3;
  b = n > 2;
equation
  der(x) = if b then 0 else 1;
  annotation(experiment(StopTime = 0.5));
end M;
