// A solution that slides along y = 0, y = x + c, is taken off it by a jump of c from 0 to 1 at t = 1: x = -c before,
// and afterwards x falls with slope -1 until x + 1 = 0 at t = 2, where it slides again.
// expect at 0.75: x = 0
// expect at 1.5: x = -0.5
// expect x = -1
model M
  Real x(start = 0.5, fixed = true), y, c;
equation
  c = if time < 1 then 0 else 1;
  y = x + c;
  der(x) = if y > 0 then -1 else 1;
  annotation(experiment(StopTime = 3));
end M;
