// Both masses go on with the velocity of their centre, (2 + 0)/4, and part again without a jump. Together they have a
// = 1, from t = 1 on.
// expect at 0.4: v1 = 2
// expect at 0.6: v1 = 0.5
// expect at 0.6: v2 = 0.5
// expect at 1.5: f = -1
// expect x1 = 3.46875
// expect x2 = 3.84375
model M
  Real x1(start = 0, fixed = true), v1(start = 2, fixed = true), x2(start = 1, fixed = true), v2(start = 0, fixed = true);
  Real f, F;
  Boolean welded(start = false, fixed = true);
equation
  der(x1) = v1;
  der(x2) = v2;
  der(v1) = -f;
  3*der(v2) = f + F;
  F = if time > 1 and time < 2 then 4 else 0;
  if welded then x1 = x2; else f = 0; end if;
  when x1 > x2 then welded = true; elsewhen time > 1.75 then welded = false; end when;
  annotation(experiment(StopTime = 3));
end M;
