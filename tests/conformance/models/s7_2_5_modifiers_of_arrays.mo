// One value for each component, or each the same one.
// expect a[1].x = 2
// expect a[2].x = 3
// expect b[2,3].x = 6
// expect s = 5
model A
  parameter Real p = 1, q = 1;
  Real x = p*q;
end A;
model M
  parameter Real v[2] = {2, 3};
  A a[2](p = v);
  A b[2,3](p = {{1, 2, 3}, {4, 5, 6}}, each q = 1);
  Real s = sum(a.x);
end M;
