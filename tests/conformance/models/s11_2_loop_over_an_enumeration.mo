// The elements of an enumeration as a range.
// expect s = 6
// expect last = 3
model M
  type E = enumeration(a, b, c);
  parameter Real v[E] = {1, 2, 3};
  Real s = sum(v[e] for e in E);
  Real last = v[E.c];
end M;
