// A pendulum that bounces off a wall: an event with a jump of the velocity.
//
//   driftless solve pendulum_wall.mo --output wall.csv

model pendulum_wall "Pendulum and wall"
  parameter Real L(unit = "m", min = 0) = 1 "length of the rod";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real wall(unit = "m") = 0.5 "position of the wall";
  parameter Real e(min = 0, max = 1) = 0.8 "the speed that is left after a hit";
  Real x(unit = "m", start = -1) "position to the right";
  Real y(unit = "m", start = 0, fixed = true) "position upwards";
  Real vx(unit = "m/s", start = 0) "velocity to the right";
  Real vy(unit = "m/s", start = 0, fixed = true) "velocity upwards";
  Real lambda(unit = "1/s2") "force in the rod, per mass and length";
  discrete Integer hits(start = 0, fixed = true) "on the wall so far";
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda * x;
  der(vy) = -lambda * y - g;
  x^2 + y^2 = L^2;
  when x > wall then
    reinit(vx, -e * pre(vx));
    reinit(vy, -e * pre(vy));
    hits = pre(hits) + 1;
  end when;
  annotation(experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.01),
    __driftless(points = [0, 0; x, y; wall, -1.1 * L; wall, 0.3 * L], links = [1, 2; 3, 4], ground = {1, 3, 4},
      traces = {2}));
end pendulum_wall;
