// A lock that closes takes a constraint and the force for it: index 3 from there on, and the velocity stops.
// expect x = 0
// expect v = 0
// expect T = -3
// expect at 0.25: x = 0.25
// expect at 0.25: T = 0
// expect events = 2
model M
  Real x(start = 0.5, fixed = true), v(start = -1, fixed = true), T, F;
  Boolean locked(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = T + F;
  F = if time > 0.75 then 12*(time - 0.75) else 0;
  if locked then x = 0; else T = 0; end if;
  when x < 0 then locked = true; end when;
  annotation(experiment(StopTime = 1));
end M;
