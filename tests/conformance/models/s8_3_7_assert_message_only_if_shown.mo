// 1/(x - 0.5) is infinite at t = 0.5, but nobody sees it.
// expect x = 1
model M
  Real x = time;
equation
  assert(x < 2, "x is " + String(1/(x - 0.5)));
end M;
