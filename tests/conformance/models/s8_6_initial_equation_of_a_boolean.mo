// The same for a Boolean with hysteresis.
// expect at 0.1: on = true
// expect on = false
model M
  Boolean on;
  Real x(start = 0.5, fixed = true);
initial equation
  pre(on) = true;
equation
  der(x) = -1;
  on = x > 2 or (pre(on) and x > 0.25);
  annotation(experiment(StopTime = 1));
end M;
