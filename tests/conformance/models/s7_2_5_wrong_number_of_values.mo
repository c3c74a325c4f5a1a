// expect refused: 3 values for 2 components
model A
  parameter Real p = 1;
  Real x = p;
end A;
model M
  A a[2](p = {1, 2, 3});
end M;
