// expect a.x = 4
// expect b.x = 6
model A
  parameter Real p = 1, q = 2;
  Real x = p*q;
end A;
model B = A(p = 2);
model C = B(q = 3);
model M
  B a;
  C b;
end M;
