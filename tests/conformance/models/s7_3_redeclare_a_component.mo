// expect a.f.y = 2
// expect b.f.y = 15
model One
  parameter Real k = 1;
  Real u, y;
equation
  y = k*u;
end One;
model Three
  extends One;
  Real z = 3*u;
end Three;
model A
  replaceable One f(k = 2);
equation
  f.u = 1;
end A;
model B
  extends A;
  Real w = f.y;
end B;
model M
  A a;
  B b(redeclare Three f(k = 15));
end M;
