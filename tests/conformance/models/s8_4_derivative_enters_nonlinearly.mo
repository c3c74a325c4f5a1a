// With d = der(x), dt = -(3 d^2 + 1)/d dd, so t = 3/2 - 3/2 d^2 - log(-d) from d = -1 on.
// expect x = 1.1302634692997873
model M
  Real x(start = 2, fixed = true);
  Real d(start = -1);
equation
  d = der(x);
  -x = d^3 + d;
end M;
