// integer(x) changes at events; change(k) sees it.
// expect at 0.6: k = 2
// expect at 0.6: n = 2
// expect at 0.9: n = 3
model M
  Real x(start = 0, fixed = true);
  Integer k, n(start = 0, fixed = true);
equation
  der(x) = 1;
  k = integer(4*x);
  when change(k) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
