// expect a.x = 1
// expect b.x = 2
model One
  parameter Real k = 1;
  Real y = k;
end One;
model Two
  parameter Real k = 1;
  Real y = 2*k;
end Two;
model A
  replaceable model Law = One;
  Law law;
  Real x = law.y;
end A;
model M
  A a;
  A b(redeclare model Law = Two);
end M;
