// expect y = 5
// expect x[3] = 3
model M
  type E = enumeration(a, b, c);
  Real x[E];
  parameter Real p[E] = {1, 2, 3};
  Real y;
equation
  for e in E loop
    x[e] = p[e]*time;
  end for;
  y = x[E.b] + p[E.c];
end M;
