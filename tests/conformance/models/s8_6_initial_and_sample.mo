// A recursion that begins at the start and goes on with samples.
// expect at 0.1: n = 1
// expect n = 5
model M
  Integer n(start = 0, fixed = true);
equation
  when {initial(), sample(0.25, 0.25)} then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
