// expect refused: 'a.x' is no connector
model A
  Real x = time;
end A;
model M
  A a, b;
equation
  connect(a.x, b.x);
end M;
