// A Real parameter follows from an Integer one that the start finds.
// expect x = 6
model M
  parameter Integer n(fixed=false);
  parameter Real r = n;
  Real x(start = 2*r, fixed=true);
initial equation
  n = 3;
equation
  der(x) = 0;
end M;
