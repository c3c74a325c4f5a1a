// Nor be connected.
// expect refused: 'p' is protected in 'Part'
connector Pin
  Real v;
  flow Real i;
end Pin;
model Part
  Pin n;
protected
  Pin p;
equation
  connect(p, n);
end Part;
model M
  Part a;
  Pin b;
equation
  connect(a.p, b);
  b.v = 1;
end M;
