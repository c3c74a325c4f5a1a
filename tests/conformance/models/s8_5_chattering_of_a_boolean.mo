// A Boolean is true or false: it cannot be a mixture, and without hysteresis the run ends where both push to x = 0.
// expect fails: events accumulate
model M
  Real x(start = 1, fixed = true);
  Boolean on;
equation
  on = x > 0;
  der(x) = if on then -1 else 1;
  annotation(experiment(StopTime = 2));
end M;
