// A stable limit cycle on the unit sphere: the equator, with period 1. Index 2.

model limit_cycle_sphere "Stable limit cycle on the sphere"
  constant Real pi = 3.14159265358979323846;
  parameter Real omega(unit = "rad/s") = 2 * pi "angular velocity";
  parameter Real kappa(unit = "1/s") = 1 "attraction by the equator";
  Real x(start = sqrt(0.19)), y(start = 0, fixed = true), z(start = 0.9, fixed = true);
  Real lambda;
equation
  der(x) = -omega * y - 2 * lambda * x;
  der(y) = omega * x - 2 * lambda * y;
  der(z) = -kappa * z - 2 * lambda * z;
  x^2 + y^2 + z^2 = 1;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01),
    __driftless(points = [0, 0, 0; x, y, z], ground = {1}, traces = {2}));
end limit_cycle_sphere;
