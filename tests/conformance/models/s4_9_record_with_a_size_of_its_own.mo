// The size of one field is the value of another one.
// expect s = 3
// expect t = 12
// expect q[2].x[3] = 3
record R
  parameter Integer n = 1;
  parameter Integer m;
  Real x[m + n - 1];
end R;
model M
  R r(m = 2);
  R q[2](each m = 3);
  Real s = sum(r.x), t = sum(q[1].x) + sum(q[2].x);
equation
  r.x = {1, 2};
  q[1].x = {1, 2, 3};
  q[2].x = {1, 2, 3};
end M;
