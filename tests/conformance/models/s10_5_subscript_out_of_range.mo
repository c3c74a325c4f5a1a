// A subscript out of range ends the run.
// expect fails: out of range: 1 to 2
model M
  Real t[2] = {1, 2};
  Integer k;
  Real y;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  k = 1 + integer(4*x);
  y = t[k];
  annotation(experiment(StopTime = 1));
end M;
