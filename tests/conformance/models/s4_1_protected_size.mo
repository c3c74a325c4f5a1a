// Nor decide how many components there are.
// expect refused: 'n' is protected in 'Part'
model Part
  Real x = 1;
protected
  parameter Integer n = 2;
end Part;
model M
  Part a;
  Part b[a.n];
end M;
