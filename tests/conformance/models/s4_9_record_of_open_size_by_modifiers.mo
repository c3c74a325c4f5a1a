// The size is that of the modifier, another one for each variable.
// expect y = 18
// expect q.t[2] = 2
// expect size_of_h = 2
record R
  Real t[:];
  Real k = 3;
end R;
model M
  parameter R r(t = {1, 2, 3});
  R q(t = {time, 2*time});
  R h = R({1, 2});
  Real y = sum(r.t) + q.t[2] + q.k + h.t[2] + 5*h.k - 10;
  Integer size_of_h = size(h.t, 1);
  annotation(experiment(StopTime = 1));
end M;
