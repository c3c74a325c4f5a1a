// expect refused: 'A' has no 'q'
model A
  parameter Real p = 1;
  Real x = p;
end A;
model M
  A a(q = 2);
end M;
