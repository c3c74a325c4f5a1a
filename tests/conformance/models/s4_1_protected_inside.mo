// A class itself, what extends it, and the modifiers of extends may use what is protected.
// expect x = 21
// expect y = 23
model Base
  Real x;
protected
  parameter Real k = 2;
  Real z;
equation
  z = 3*k;
  x = z;
end Base;
model M
  extends Base(k = 7);
  Real y = z + 2;
end M;
