// expect x[1] = 0
// expect x[2] = 3
// expect y = 3
model M
  Real x[Boolean](start = {1, 2}, each fixed = true);
  Real y;
equation
  for b in Boolean loop
    der(x[b]) = if b then 1 else -1;
  end for;
  y = x[true] + x[false];
end M;
