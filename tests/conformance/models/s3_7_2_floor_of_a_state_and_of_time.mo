// Both jump together.
// expect bad = 0
// expect k = 3
// expect m = 3
// expect events = 3
model M
  Real x(start = 0, fixed = true);
  Integer k, m, bad(start = 0, fixed = true);
equation
  der(x) = 1;
  k = integer(x);
  m = integer(time);
  when k <> m then
    bad = pre(bad) + 1;
  end when;
  annotation(experiment(StopTime = 3.5));
end M;
