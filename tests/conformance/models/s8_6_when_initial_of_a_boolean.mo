// A Boolean assigned at the start.
// expect at 0.25: b = true
// expect b = false
model M
  Boolean b(start = false, fixed = true);
equation
  when {initial(), time > 0.5} then
    b = not pre(b);
  end when;
  annotation(experiment(StopTime = 1));
end M;
