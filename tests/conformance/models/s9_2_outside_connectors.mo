// Two conductances in one component, connected to the outside: 1 and 2 in parallel, 3 together, 6 W at 2 K.
// expect pair.a.Q = 6
// expect pair.one.a.Q = 2
// expect pair.two.b.Q = -4
// expect left.a.Q = -6
connector Port
  Real T;
  flow Real Q;
end Port;
model Wall
  Port a, b;
  parameter Real G = 1;
equation
  a.Q = G*(a.T - b.T);
  a.Q + b.Q = 0;
end Wall;
model Pair
  Port a, b;
  Wall one(G = 1), two(G = 2);
equation
  connect(a, one.a);
  connect(a, two.a);
  connect(one.b, b);
  connect(b, two.b);
end Pair;
model Fixed
  Port a;
  parameter Real T;
equation
  a.T = T;
end Fixed;
model M
  Pair pair;
  Fixed left(T = 2), right(T = 0);
equation
  connect(left.a, pair.a);
  connect(pair.b, right.a);
end M;
