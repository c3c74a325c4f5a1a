// The third reset comes exactly at StopTime.
// expect at 2.5: x = 0.5
// expect x = 0
// expect n = 3
// expect events = 3
model M
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 1 then
    reinit(x, 0);
    n = pre(n) + 1;
  elsewhen x <= -1 then
    n = -100;
  end when;
  annotation(experiment(StopTime = 3));
end M;
