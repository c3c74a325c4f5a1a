// A whole part that goes down changes once at each root.
// expect at 0.5: k = 2
// expect at 0.5: n = 2
// expect k = 0
// expect n = 4
// expect events = 4
model M
  Real x(start = 1.05, fixed = true);
  Integer k, n(start = 0, fixed = true);
equation
  der(x) = -1;
  k = integer(4*x);
  when change(k) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
