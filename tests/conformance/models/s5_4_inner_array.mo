// An inner array of parameters.
// expect s = 6
model M
  inner parameter Real g[3] = {1,2,3};
  model X outer parameter Real g[3]; Real s = sum(g); end X;
  X x; Real s = x.s;
end M;
