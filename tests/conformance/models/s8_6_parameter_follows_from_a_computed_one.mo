// p is found at the start, q follows from it, and so does the start of x.
// expect x = 0
// expect y = 4
// expect q = 6
model M
  parameter Real p(fixed = false, start = 2);
  parameter Real q = 2*p;
  Real x(start = q, fixed = true);
  Real y(start = p + 1, fixed = true);
initial equation
  p^2 + p = 12;
equation
  der(x) = -q;
  der(y) = 0;
end M;
