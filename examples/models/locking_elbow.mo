// A double pendulum whose elbow is locked by a brake, where it happens to be, and freed again. While it is locked there
// is a constraint more; when it closes, velocities of both links jump, and the angular momentum about the pivot stays.
//
//   driftless solve locking_elbow.mo --output elbow.csv

model locking_elbow "Double pendulum with a brake"
  parameter Real m1(unit = "kg", min = 0) = 1 "mass of the elbow";
  parameter Real m2(unit = "kg", min = 0) = 2 "mass at the end";
  parameter Real L1(unit = "m", min = 0) = 1 "upper link";
  parameter Real L2(unit = "m", min = 0) = 0.7 "lower link";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real closes(unit = "s") = 0.4, opens(unit = "s") = 1.6;
  Real a(unit = "rad", start = 1, fixed = true) "angle of the upper link";
  Real b(unit = "rad", start = 0.5, fixed = true) "angle of the elbow";
  Real wa(unit = "rad/s", start = 0.3, fixed = true), wb(unit = "rad/s", start = -1, fixed = true);
  Real T(unit = "N.m") "torque of the brake";
  Real momentum(unit = "N.m.s") "about the pivot";
  discrete Real b0(unit = "rad", start = 0) "where the elbow was locked";
  Boolean locked(start = false, fixed = true);
protected
  Real J11, J12, J22, c;
equation
  c = m2 * L1 * L2;
  J11 = (m1 + m2) * L1^2 + m2 * L2^2 + 2 * c * cos(b);
  J12 = m2 * L2^2 + c * cos(b);
  J22 = m2 * L2^2;
  der(a) = wa;
  der(b) = wb;
  J11 * der(wa) + J12 * der(wb) =
    c * sin(b) * wb * (2 * wa + wb) - (m1 + m2) * g * L1 * sin(a) - m2 * g * L2 * sin(a + b);
  J12 * der(wa) + J22 * der(wb) = T - c * sin(b) * wa^2 - m2 * g * L2 * sin(a + b);
  momentum = J11 * wa + J12 * wb;
  if locked then
    b = b0;
  else
    T = 0;
  end if;
  when time > closes then
    locked = true;
    b0 = b;
  elsewhen time > opens then
    locked = false;
    b0 = pre(b0);
  end when;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8, Interval = 0.01),
    __driftless(points = [0, 0; L1 * sin(a), -L1 * cos(a); L1 * sin(a) + L2 * sin(a + b),
      -L1 * cos(a) - L2 * cos(a + b)], links = [1, 2; 2, 3], ground = {1}, traces = {3}));
end locking_elbow;
