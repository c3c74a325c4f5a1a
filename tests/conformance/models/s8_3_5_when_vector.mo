// when {a, b}: each element counts by itself.
// expect at 0.5: n = 1
// expect n = 2
model M
  Integer n(start = 0, fixed = true);
equation
  when {time >= 0.25, time >= 0.75} then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
