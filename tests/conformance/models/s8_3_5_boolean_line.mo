// A Boolean on its own line in place of the condition makes no difference.
// expect at 0.5: b = true
// expect n = 1
model M
  Real x(start = 0, fixed = true);
  Boolean a, b;
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  a = x > 0.25;
  b = a and not x > 0.75;
  when not b then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
