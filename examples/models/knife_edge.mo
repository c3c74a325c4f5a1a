// A skate on a slope: it slides along its blade, not across it, and turns at a constant rate. It does not go down: its
// path across the slope is a cycloid. The constraint is nonholonomic: it restricts velocities alone.
//
//   driftless check knife_edge.mo
//   driftless solve knife_edge.mo --plot knife_edge.svg --view motion

model knife_edge "A skate on a slope (nonholonomic)"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real J(unit = "kg.m2") = 0.5 "moment of inertia";
  parameter Real a(unit = "m/s2") = 2.9 "acceleration down the slope, g sin(angle)";
  Real x(unit = "m", start = 0, fixed = true) "position down the slope";
  Real y(unit = "m", start = 0, fixed = true) "position across it";
  Real phi(unit = "rad", start = 0, fixed = true) "direction of the blade";
  Real vx(unit = "m/s", start = 0) "velocity down the slope";
  Real vy(unit = "m/s", start = 0) "velocity across it";
  Real w(unit = "rad/s", start = 1.5, fixed = true) "angular velocity";
  Real force(unit = "N") "of the slope, across the blade";
  Real tip_x = x + 0.2 * cos(phi), tip_y = y + 0.2 * sin(phi);
equation
  der(x) = vx;
  der(y) = vy;
  der(phi) = w;
  m * der(vx) = m * a + force * sin(phi);
  m * der(vy) = -force * cos(phi);
  J * der(w) = 0;
  vx * sin(phi) - vy * cos(phi) = 0 "no motion across the blade";
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02),
    __driftless(points = [y, -x; tip_y, -tip_x], links = [1, 2], traces = {1}));
end knife_edge;
