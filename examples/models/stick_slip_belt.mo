// A block on a moving belt, held by a spring. While it sticks it moves with the belt, whatever force R that takes; at
// the largest force of sticking it slips, and sticks again when it is as fast as the belt.
//
//   driftless solve stick_slip_belt.mo --output block.csv

model stick_slip_belt "Block on a belt"
  parameter Real m(unit = "kg", min = 0) = 1 "mass of the block";
  parameter Real k(unit = "N/m", min = 0) = 1 "stiffness of the spring";
  parameter Real belt(unit = "m/s") = 0.2 "velocity of the belt";
  parameter Real largest(unit = "N", min = 0) = 1.5 "force up to which the block sticks";
  parameter Real slip(unit = "N", min = 0) = 1 "force of the belt on a block that slips";
  Real x(unit = "m", start = 0, fixed = true) "length of the spring, less what it is without load";
  Real v(unit = "m/s", start = 0.2, fixed = true) "velocity of the block";
  Real R(unit = "N") "force of the belt";
  Boolean stuck(start = true, fixed = true);
  Integer side(start = 1, fixed = true) "1: the belt is faster than a block that slips; -1: slower";
equation
  der(x) = v;
  m * der(v) = R - k * x;
  if stuck then
    v = belt;
  else
    R = side * slip;
  end if;
  when R > largest then
    stuck = false;
    side = 1;
  elsewhen R < -largest then
    stuck = false;
    side = -1;
  elsewhen not pre(stuck) and side * (v - belt) > 0 then
    stuck = true;
    side = pre(side);
  end when;
  annotation(experiment(StopTime = 30, Tolerance = 1e-8, Interval = 0.05),
    __driftless(points = [-3, 0; x, 0; -3, -0.3; 3, -0.3], links = [3, 4], springs = [1, 2], ground = {1, 3, 4}));
end stick_slip_belt;
