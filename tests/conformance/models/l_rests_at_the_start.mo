// The start is in the branch that needs another form than all branches together; then it lifts off, comes back and
// stays: a = t - 1 from t = 1 on, thrown back at t = 2 with a = -10.
// expect at 0.5: N = 0.5
// expect at 0.5: h = 0
// expect at 2: h = 0.16666666666666667
// expect h = 0
// expect N = 10
model M
  Real h(start = 0, fixed = true), v(start = 0, fixed = true), N, F;
  Boolean resting(start = true, fixed = true);
equation
  der(h) = v;
  der(v) = N + F;
  F = if time < 2 then time - 1 else -10;
  if resting then h = 0; else N = 0; end if;
  when h < 0 then resting = true; elsewhen N < 0 then resting = false; end when;
  annotation(experiment(StopTime = 3));
end M;
