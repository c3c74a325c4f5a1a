// Nor can it be given another value where the component is declared.
// expect refused: 'k' is protected in 'Tank'
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
  Tank t(k = 3);
end M;
