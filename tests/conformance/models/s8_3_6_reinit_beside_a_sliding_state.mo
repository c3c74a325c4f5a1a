// The block sticks, and goes on to do so when its spring is put elsewhere; then the spring is put too far away: F = 2
// against 1 of friction, v = sin(t - 2) while it moves to the right.
// expect at 0.5: v = 0
// expect at 1.5: v = 0
// expect at 1.5: friction = 0.5
// expect felt = 0.5
// expect at 3: v = 0.8414709848078965
// expect at 3: x = -1.5403023058681398
// expect events = 3
model M
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), friction;
  discrete Real felt(start = -7, fixed = true);
equation
  der(x) = v;
  der(v) = -x - friction;
  friction = if v > 0 then 1 else -1;
  when time >= 1 then
    reinit(x, -0.5);
  elsewhen time >= 2 then
    reinit(x, -2);
    felt = friction;
  end when;
  annotation(experiment(StopTime = 3));
end M;
