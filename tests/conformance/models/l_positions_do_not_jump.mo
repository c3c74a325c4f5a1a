// The lock closes away from where it locks.
// expect fails: the event makes a constraint on positions active that does not hold: it is off by 0.25
model M
  Real x(start = 0.5, fixed = true), v(start = -1, fixed = true), T;
  Boolean locked(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = T;
  if locked then x = 0; else T = 0; end if;
  when time > 0.25 then locked = true; end when;
  annotation(experiment(StopTime = 1));
end M;
