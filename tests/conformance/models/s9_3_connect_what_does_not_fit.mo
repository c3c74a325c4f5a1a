// expect refused: cannot be connected: they have not the same variables
connector A
  Real v;
end A;
connector B
  Real w;
end B;
model Left
  A a;
equation
  a.v = 1;
end Left;
model Right
  B b;
equation
  b.w = 1;
end Right;
model M
  Left l;
  Right r;
equation
  connect(l.a, r.b);
end M;
