// Doubled at t = 0 and t = 1.
// expect at 0: x = 2
// expect x = 4
// expect n = 2
model M
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 0;
  when sample(0, 1) then
    reinit(x, 2*x);
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1.5));
end M;
