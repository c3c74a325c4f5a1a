// An outer world of a class that extends the declared one, and a redeclared part that keeps its modifier.
// expect y = 6
// expect z = 8
model M
  model World
    parameter Real g = 1;
  end World;
  model Planet
    extends World(g = 3);
    parameter Real k = 2;
  end Planet;
  model Body
    outer World w;
    Real y = 2*w.g;
  end Body;
  inner Planet w;
  Body b;
  Real y = b.y;
  model Base
    replaceable model Part = World;
    Part p(g = 4);
    Real z = 2*p.g;
  end Base;
  Base base(redeclare model Part = Planet);
  Real z = base.z;
end M;
