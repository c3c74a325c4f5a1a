// Two changes at the same time are one event for a when on both.
// expect n = 1
// expect events = 1
model M
  Integer n(start = 0, fixed = true);
  Boolean a, b;
equation
  a = time >= 0.5;
  b = time < 0.5;
  when {change(a), change(b)} then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
