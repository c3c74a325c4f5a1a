// A subscript may change during the run: a table.
// expect at 0.1: y = 1
// expect at 0.3: y = 4
// expect at 0.6: y = 9
// expect at 0.9: y = 16
model M
  Real t[4] = {1, 4, 9, 16};
  Integer k;
  Real y;
equation
  k = 1 + integer(4*time);
  y = t[min(k, 4)];
  annotation(experiment(StopTime = 1));
end M;
