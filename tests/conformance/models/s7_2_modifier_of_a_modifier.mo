// Nested and dotted modifiers, and start values through both.
// expect b.a.x = 7
// expect c.a.x = 8
// expect b.a.y = 2
// expect c.a.y = 3
model A
  parameter Real p = 1;
  Real x = p;
  Real y(start = 0, fixed = true);
equation
  der(y) = 0;
end A;
model B
  A a;
end B;
model M
  parameter Real k = 7;
  B b(a(p = k, y(start = 2)));
  B c(a.p = k + 1, a.y(start = 3));
end M;
