// The pendulum with its constraint on velocity level: index 2. The length of the rod is what the start makes it.
//
//   driftless check pendulum_velocity_level.mo

model pendulum_velocity_level "Planar pendulum, velocity constraint"
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real x(unit = "m", start = 0.6, fixed = true) "position to the right";
  Real y(unit = "m", start = -0.8, fixed = true) "position upwards";
  Real vx(unit = "m/s", start = 0, fixed = true) "velocity to the right";
  Real vy(unit = "m/s", start = 0) "velocity upwards";
  Real lambda(unit = "1/s2") "force in the rod, per mass and length";
  Real length(unit = "m") "of the rod; constant in exact arithmetic";
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda * x;
  der(vy) = -lambda * y - g;
  x * vx + y * vy = 0 "the rod does not stretch";
  length = sqrt(x^2 + y^2);
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02),
    __driftless(points = [0, 0; x, y], links = [1, 2], ground = {1}, traces = {2}));
end pendulum_velocity_level;
