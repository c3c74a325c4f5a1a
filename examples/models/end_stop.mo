// An arm that falls onto its end stop, leans against it, and is lifted off. At the stop its velocity jumps to zero by an
// impulse of the torque M of the stop; `driftless solve` reports it.
//
//   driftless solve end_stop.mo --output arm.csv

model end_stop "Arm and end stop"
  parameter Real m(unit = "kg", min = 0) = 2 "mass at the end of the arm";
  parameter Real L(unit = "m", min = 0) = 0.5 "its length";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real stop(unit = "rad") = 0.2 "angle of the stop above the horizontal";
  Real a(unit = "rad", start = 1.2, fixed = true) "angle above the horizontal";
  Real w(unit = "rad/s", start = 0, fixed = true) "its velocity";
  Real M(unit = "N.m") "torque of the stop";
  Real motor(unit = "N.m") "torque of the motor";
  Boolean leaning(start = false, fixed = true);
equation
  der(a) = w;
  m * L^2 * der(w) = M + motor - m * g * L * cos(a);
  motor = if time > 1 then 10 * (time - 1) else 0;
  if leaning then
    a = stop;
  else
    M = 0;
  end if;
  when a < stop then
    leaning = true;
  elsewhen M < 0 then
    leaning = false;
  end when;
  annotation(experiment(StopTime = 2.3, Tolerance = 1e-8, Interval = 0.01),
    __driftless(points = [0, 0; L * cos(a), L * sin(a); 0.8 * L * cos(stop), 0.8 * L * sin(stop) - 0.02;
      1.2 * L * cos(stop), 1.2 * L * sin(stop) - 0.02], links = [1, 2; 3, 4], ground = {1, 3, 4}, traces = {2}));
end end_stop;
