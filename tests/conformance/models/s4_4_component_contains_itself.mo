// expect refused: 'A' contains itself
model A
  A a;
  Real x = 1;
end A;
model M
  A a;
end M;
