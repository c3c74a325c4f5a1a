// A pendulum on a stiff spring: index 1 for epsilon > 0, index 3 in the limit.
//
//   driftless solve stiff_spring_pendulum.mo --set epsilon=1e-3

model stiff_spring_pendulum "Stiff spring pendulum"
  parameter Real epsilon(min = 0) = 1e-2 "softness of the spring";
  Real x(start = 1, fixed = true), y(start = 0, fixed = true) "position";
  Real vx(start = 0, fixed = true), vy(start = 0, fixed = true) "velocity";
  Real lambda "force of the spring, per length";
  Real r "length of the spring";
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda * x;
  der(vy) = -1 - lambda * y;
  r = sqrt(x^2 + y^2);
  epsilon^2 * lambda * r = r - 1 "the law of the spring";
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01),
    __driftless(points = [0, 0; x, y], springs = [1, 2], ground = {1}, traces = {2}));
end stiff_spring_pendulum;
