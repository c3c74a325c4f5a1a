// A declared value of a local array does not overwrite an element that was assigned.
// expect y = 8.8
function f
  input Real x;
  output Real y;
protected
  Real z[3] = {1, 2, 3};
algorithm
  z[1] := x;
  y := 2*z[1] + z[2];
end f;
model M
  Real y;
equation
  y = f(3.4);
  annotation(experiment(StopTime = 1));
end M;
