// A stable limit cycle on the unit sphere that is no circle: methods move it. Index 2.
//
//   driftless analyse attractor examples/models/warped_cycle.mo --method sdirk-2-half --step-sizes 0.1,0.08,0.065,0.05
//   driftless analyse attractor examples/models/warped_cycle.mo --underlying-ode --method hem3 --transient 1000

model warped_cycle "Limit cycle on the sphere, no plane section of it"
  constant Real pi = 3.14159265358979323846;
  parameter Real omega = 2 * pi "angular velocity around the z axis";
  Real x(start = 0.8), y(start = 0, fixed = true), z(start = 0.6, fixed = true);
  Real lambda;
equation
  der(x) = -omega * y + 2 * x * z - 2 * lambda * x;
  der(y) = omega * x - 2 * lambda * y;
  der(z) = -3 * z + 10 * x * y - 2 * lambda * z;
  x^2 + y^2 + z^2 = 1 "the sphere";
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.01));
end warped_cycle;
