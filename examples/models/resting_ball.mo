// A ball that bounces, comes to rest on the floor, and is lifted off again. Resting is a lock with a condition that
// releases it: h = 0 takes the place of N = 0, and the force N that it needs must not pull.
//
//   driftless solve resting_ball.mo --output ball.csv

model resting_ball "Ball that comes to rest"
  parameter Real m(unit = "kg", min = 0) = 0.5 "mass";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real e(min = 0, max = 1) = 0.7 "the speed that is left after a bounce";
  parameter Real slow(unit = "m/s", min = 0) = 0.05 "a ball that is slower stays on the floor";
  parameter Real lift(unit = "N/s") = 3 "how fast the force grows that lifts it";
  Real h(unit = "m", start = 1, fixed = true) "height above the floor";
  Real v(unit = "m/s", start = 0, fixed = true) "velocity upwards";
  Real N(unit = "N") "force of the floor";
  Real pull(unit = "N") "force that lifts it";
  Boolean resting(start = false, fixed = true);
equation
  der(h) = v;
  m * der(v) = N - m * g + pull;
  pull = if time > 4 then lift * (time - 4) else 0;
  if resting then
    h = 0;
  else
    N = 0;
  end if;
  when h < 0 then
    resting = v > -slow;
    reinit(v, if v > -slow then 0 else -e * v);
  elsewhen N < 0 then
    resting = false;
  end when;
  annotation(experiment(StopTime = 6.5, Tolerance = 1e-8, Interval = 0.01),
    __driftless(points = [-0.5, 0; 0.5, 0; 0, h], links = [1, 2], ground = {1, 2}, traces = {3}));
end resting_ball;
