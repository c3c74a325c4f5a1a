// p = 1 in A, 2 in B, 3 in M; q is 10 in A and 20 in B.
// expect b.x = 63
model A
  parameter Real p = 1, q = 10;
  Real x = p*(q + 1);
end A;
model B
  extends A(p = 2, q = 20);
end B;
model M
  B b(p = 3);
end M;
