// y = t/3, a = t + 2 t/3.
// expect y = 0.33333333333333331
// expect a = 1.6666666666666667
model M
  Real a, y;
equation
  a = time + 2*y;
  y = time - 2*y;
end M;
