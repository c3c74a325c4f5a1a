// A pendulum with friction: it comes to rest. A mechanism, which the analyses stabilise after Gear, Gupta and Leimkuhler.
// In the angle theta'' = -g / L sin(theta) - d theta', so the exponents at rest are -d / 2 +- i sqrt(g / L - d^2 / 4).
//
//   driftless analyse attractor examples/models/damped_pendulum.mo --no-distances

model damped_pendulum "Pendulum with friction"
  parameter Real L(unit = "m") = 1 "length of the rod";
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real d(unit = "1/s") = 0.3 "friction";
  Real x(start = L, fixed = true, unit = "m"), y(start = 0, unit = "m");
  Real vx(start = 0, unit = "m/s"), vy(start = 0, fixed = true, unit = "m/s");
  Real F "force of the rod, per length and mass";
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F * x - d * vx;
  der(vy) = -F * y - d * vy - g;
  x^2 + y^2 = L^2 "the rod";
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02),
    __driftless(points = [0, 0; x, y], links = [1, 2], ground = {1}, traces = {2}));
end damped_pendulum;
