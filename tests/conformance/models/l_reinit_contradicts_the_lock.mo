// The event locks and throws at once: only one of both can be.
// expect fails: after the event the hidden velocity constraint cannot be satisfied
model M
  Real x(start = 0.5, fixed = true), v(start = -1, fixed = true), T;
  Boolean locked(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = T;
  if locked then x = 0; else T = 0; end if;
  when x < 0 then
    locked = true;
    reinit(v, 1);
  end when;
  annotation(experiment(StopTime = 1));
end M;
