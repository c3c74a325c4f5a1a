// A reinit that puts the state on the root: it slides from there on.
// expect at 0.5: x = 2.5
// expect at 1: x = 0
// expect x = 0
// expect y = 0.5
model M
  Real x(start = 3, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 0.5 - 1.5*(if x > 0 then 1 else -1);
  der(y) = if time < 1 then 0 else 0.5 - 1.5*(if x > 0 then 1 else -1) + 0.25;
  when time >= 1 then
    reinit(x, 0);
  end when;
  annotation(experiment(StopTime = 3));
end M;
