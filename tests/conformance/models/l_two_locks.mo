// One lock after the other. At t = 1/2 both take part: x stops, and with x + y = 1/2 so does y.
// expect at 0.3: y = 0.3
// expect at 0.3: S = 0
// expect x = 0
// expect y = 0.5
// expect vy = 0
// expect T = 1
// expect S = -2
model M
  Real x(start = 0.5, fixed = true), y(start = 0, fixed = true), vx(start = -1, fixed = true), vy(start = 1, fixed = true);
  Real T, S, F;
  Boolean a(start = false, fixed = true), b(start = false, fixed = true);
equation
  der(x) = vx; der(y) = vy;
  der(vx) = T + S + F/2;
  der(vy) = S + F;
  F = if time > 0.75 then 2 else 0;
  if a then x = 0; else T = 0; end if;
  if b then x + y = 0.5; else S = 0; end if;
  when x < 0 then a = true; end when;
  when time > 0.2 then b = true; end when;
  annotation(experiment(StopTime = 1));
end M;
