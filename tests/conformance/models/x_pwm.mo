// Pulse width by a counter: on for the first quarter of every tenth.
// expect x = 0.25
model M
  Real x(start = 0, fixed = true);
  Integer k;
  Boolean on;
equation
  k = integer(10*time);
  on = 10*time - k < 0.25;
  der(x) = if on then 1 else 0;
  annotation(experiment(StopTime = 1));
end M;
