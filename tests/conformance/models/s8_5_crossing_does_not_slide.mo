// Both sides go down: x passes 0 at t = 1 and has slope -2 from then on.
// expect x = -2
// expect events = 1
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0 then -1 else -2;
  annotation(experiment(StopTime = 2));
end M;
