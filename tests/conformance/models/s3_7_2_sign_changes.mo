// A when sees sign change.
// expect n = 1
model M
  Real x(start = -0.5, fixed = true);
  Integer s, n(start = 0, fixed = true);
equation
  der(x) = 1;
  s = integer(sign(x) + 0.5);
  when s > 0 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
