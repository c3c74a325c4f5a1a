// A field of open size has the size of what it is given: t = {2, 4, 6} and k = 4.
// expect y = 16
// expect z = 3
record R
  Real t[:];
  Real k;
end R;
function make
  input Real a;
  output R r;
algorithm
  r := R({a, 2*a, 3*a}, 4);
end make;
function total
  input R r;
  output Real s;
algorithm
  s := sum(r.t) + r.k;
end total;
model M
  Real y = total(make(2));
  Real z = total(R({1}, 2));
end M;
