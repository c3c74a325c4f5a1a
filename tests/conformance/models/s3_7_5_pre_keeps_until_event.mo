// A discrete equation that refers to pre of itself: hysteresis.
// expect at 0.05: on = false
// expect at 0.25: on = true
// expect at 0.5: on = true
// expect at 0.75: on = false
// expect at 1.5: on = true
// expect events = 8
model M
  Real x;
  Boolean on(start = false, fixed = true);
equation
  x = sin(6.283185307179586*time);
  on = x > 0.5 or (pre(on) and x > -0.5);
  annotation(experiment(StopTime = 2));
end M;
