// A planar pendulum in Cartesian coordinates, dropped from horizontal rest.
// Schropp, Projected Runge-Kutta methods for differential algebraic equations of index 3 (2003), equation (4.1).
//
//   driftless solve pendulum_schropp.mo --output pendulum.csv

model pendulum_schropp "Planar pendulum"
  parameter Real L(min = 0) = 1 "length of the rod";
  parameter Real g = 1 "gravity; there are no units in the paper";
  // Two numbers determine the start, the other two follow from the constraint and its derivative.
  Real u1(start = 1) "position to the right";
  Real u2(start = 0, fixed = true) "position upwards";
  Real v1(start = 0) "velocity to the right";
  Real v2(start = 0, fixed = true) "velocity upwards";
  Real lambda "multiplier: half of the force in the rod, per length";
equation
  der(u1) = v1;
  der(u2) = v2;
  der(v1) = -2 * u1 * lambda;
  der(v2) = -g - 2 * u2 * lambda;
  u1^2 + u2^2 = L^2 "the rod";
  annotation(experiment(StopTime = 20, Tolerance = 1e-6, Interval = 0.05),
    __driftless(points = [0, 0; u1, u2], links = [1, 2], ground = {1}, traces = {2}));
end pendulum_schropp;
