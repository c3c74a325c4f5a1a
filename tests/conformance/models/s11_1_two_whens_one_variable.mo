// Two when-clauses of one algorithm may assign the same variable.
// expect at 0.3: n = 1
// expect n = 11
model M
  Integer n(start = 0, fixed = true);
algorithm
  when time >= 0.25 then
    n := pre(n) + 1;
  end when;
  when time >= 0.5 then
    n := pre(n) + 10;
  end when;
  annotation(experiment(StopTime = 1));
end M;
