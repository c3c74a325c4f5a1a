// k > pre(k) becomes true whenever k grows.
// expect at 0.9: n = 3
// expect at 0.9: k = 3
model M
  Real x(start = 0, fixed = true);
  Integer k, n(start = 0, fixed = true);
equation
  der(x) = 1;
  k = integer(4*x);
  when k > pre(k) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
