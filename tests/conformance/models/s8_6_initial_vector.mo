// when {initial(), c}.
// expect at 0: n = 1
// expect n = 2
model M
  Integer n(start = 0, fixed = true);
equation
  when {initial(), time >= 0.5} then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
