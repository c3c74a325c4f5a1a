// A pendulum with generalised speeds, as Kane's method writes it: velocities along the rod and across it.
//
//   driftless check kane_pendulum.mo

model kane_pendulum "Pendulum with generalised speeds"
  parameter Real L(unit = "m") = 1 "length";
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real x(unit = "m", start = 1, fixed = true) "position to the right";
  Real y(unit = "m", start = 0) "position upwards";
  Real along(unit = "m/s", start = 0) "velocity along the rod";
  Real across(unit = "m/s", start = 0, fixed = true) "velocity across it";
  Real lambda(unit = "N/m2") "force in the rod, per twice its length";
  Real r(unit = "m") "distance from the pivot";
equation
  r = sqrt(x^2 + y^2);
  der(x) = (x * along - y * across) / r;
  der(y) = (y * along + x * across) / r;
  m * (der(along) - across^2 / r) = -2 * lambda * r - m * g * y / r;
  m * (der(across) + along * across / r) = -m * g * x / r;
  x^2 + y^2 = L^2 "rod";
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02),
    __driftless(points = [0, 0; x, y], links = [1, 2], ground = {1}, traces = {2}));
end kane_pendulum;
