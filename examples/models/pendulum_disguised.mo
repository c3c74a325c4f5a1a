// The pendulum again, written down as carelessly as it could be: second derivatives hidden in first-order equations,
// equations and variables in no order, aliases in between, derivatives on either side. It is index 3 all the same.
//
//   driftless check pendulum_disguised.mo

model pendulum_disguised "A pendulum that does not look like one"
  Real tension(unit = "N") "force in the rod";
  Real height(unit = "m", start = -0.6, fixed = true);
  Real up(unit = "m/s") "an alias of rise";
  Real pull_x(unit = "N"), pull_y(unit = "N") "components of the force on the bob";
  Real aside(unit = "m", start = 0.8);
  Real drift(unit = "m/s", start = 0, fixed = true);
  Real rise(unit = "m/s", start = 0);
  Real x(unit = "m"), y(unit = "m") "aliases of the coordinates, with opposite signs";
  Real momentum_x(unit = "kg.m/s"), momentum_y(unit = "kg.m/s");
  parameter Real weight(unit = "N") = mass * 9.81;
  parameter Real mass(unit = "kg", min = 0) = 2;
  parameter Real rod(unit = "m", min = 0) = 1;
  Real energy(unit = "J");
equation
  energy = (momentum_x^2 + momentum_y^2) / (2 * mass) - weight * y;
  0 = pull_y - tension * y / rod;
  rod^2 - aside * aside = height^2;
  x + aside = 0;
  up - rise = 0;
  weight = pull_y - mass * der(up) "gravity, written for the acceleration";
  der(height) - up = 0;
  tension * x / rod = pull_x;
  momentum_x = mass * drift;
  pull_x = der(momentum_x);
  momentum_y = mass * up;
  y = -height;
  drift = der(aside);
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02),
    __driftless(points = [0, 0; aside, height], links = [1, 2], ground = {1}, traces = {2}));
end pendulum_disguised;
