// What is protected belongs to its class alone.
// expect refused: s4_1_protected_from_outside.mo:16:9: error: 'q' is protected in 'Tank'
model Tank
  parameter Real A = 1;
  Real h(start = 1, fixed = true);
protected
  Real q = h/A;
  parameter Real k = 2;
equation
  der(h) = -k*q;
end Tank;
model M
  Tank t;
  Real y;
equation
  y = t.q;
end M;
