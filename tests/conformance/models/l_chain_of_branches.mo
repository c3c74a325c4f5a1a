// A spring, then a lock, then nothing: the lock is an elseif, and needs a form of its own.
// expect at 1: x = 0.54030230586813972
// expect at 1: T = -0.54030230586813972
// expect at 1.8: x = 0
// expect at 1.8: T = -1
// expect x = 0.5
// expect T = 0
model M
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), T, F;
  Integer mode(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = T + F;
  F = if time > 1.7 then 1 else 0;
  if mode == 1 then T + x = 0; elseif mode == 2 then x = 0; else T = 0; end if;
  when x < 0 then mode = 2; elsewhen time > 2 then mode = 3; end when;
  annotation(experiment(StopTime = 3));
end M;
