// A thin disc that rolls on a table: coordinates of its centre and three angles, generalised speeds, one constraint on
// positions and two on velocities. At the start it is a little off a steady motion on a circle.
//
//   driftless check rolling_disc.mo
//   driftless solve rolling_disc.mo --plot rolling_disc.svg --view motion

model rolling_disc "A rolling disc (nonholonomic)"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real R(unit = "m") = 1 "radius";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real A(unit = "kg.m2") = m * R^2 / 4 "moment of inertia about a diameter";
  parameter Real C(unit = "kg.m2") = m * R^2 / 2 "moment of inertia about the axis";
  Real x(unit = "m", start = 0, fixed = true) "position of the centre";
  Real y(unit = "m", start = 1, fixed = true);
  Real z(unit = "m", start = 1);
  Real psi(unit = "rad", start = 0, fixed = true) "direction in which it rolls";
  Real theta(unit = "rad", start = 1.3, fixed = true) "angle of the axis with the vertical";
  Real phi(unit = "rad", start = 0, fixed = true) "rotation about the axis";
  Real vx(unit = "m/s"), vy(unit = "m/s"), vz(unit = "m/s");
  Real lean(unit = "rad/s", start = 0, fixed = true) "angular velocity about the direction of rolling";
  Real yaw(unit = "rad/s", start = 2, fixed = true) "about the diameter through the contact";
  Real spin(unit = "rad/s", start = -2, fixed = true) "about the axis";
  Real N(unit = "N") "force of the table upwards";
  Real Fx(unit = "N") "friction", Fy(unit = "N");
  Real contact_x = x + R * cos(theta) * sin(psi), contact_y = y - R * cos(theta) * cos(psi);
equation
  der(x) = vx;
  der(y) = vy;
  der(z) = vz;
  der(psi) = yaw / sin(theta);
  der(theta) = lean;
  der(phi) = spin - yaw * cos(theta) / sin(theta);
  m * der(vx) = Fx;
  m * der(vy) = Fy;
  m * der(vz) = N - m * g;
  A * der(lean) = -yaw * (C * spin - A * yaw * cos(theta) / sin(theta)) - N * R * cos(theta)
    - R * sin(theta) * (Fx * sin(psi) - Fy * cos(psi));
  A * der(yaw) = -lean * (A * yaw * cos(theta) / sin(theta) - C * spin);
  C * der(spin) = R * (Fx * cos(psi) + Fy * sin(psi));
  z = R * sin(theta) "the disc touches the table";
  vx = R * (lean * sin(theta) * sin(psi) - spin * cos(psi)) "rolling";
  vy = R * (-lean * sin(theta) * cos(psi) - spin * sin(psi)) "rolling";
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02),
    __driftless(points = [x, y; contact_x, contact_y], links = [1, 2], traces = {1, 2}));
end rolling_disc;
