// A setpoint that a clock moves: at each tick x is where it slid, and it follows with slope 4.
// expect at 0.4: x = 0
// expect at 0.5: held = 0
// expect at 0.6: x = 0.4
// expect at 0.75: x = 1
// expect at 1: held = 1
// expect at 1.5: held = 2
// expect at 1.6: x = 2.4
// expect x = 3
// expect held = 3
// expect k = 4
model M
  Real x(start = 0, fixed = true);
  Integer k(start = 0, fixed = true);
  discrete Real held(start = -7, fixed = true);
equation
  der(x) = 4*sign(k - x);
  when sample(0.5, 0.5) then
    k = pre(k) + 1;
    held = x;
  end when;
  annotation(experiment(StopTime = 2));
end M;
