// A default of a local may depend on inputs and other locals.
// expect y = 13
function f
  input Real x;
  output Real y;
protected
  Real a = 2*x;
  Real z[2] = {a, 3*a};
algorithm
  z[1] := 1;
  y := z[1] + z[2];
end f;
model M
  Real y;
equation
  y = f(2);
  annotation(experiment(StopTime = 1));
end M;
