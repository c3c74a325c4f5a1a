// expect v = 0.54030230586813976
// expect a = -0.8414709848078965
// expect j = -0.54030230586813976
model M
  Real x = sin(time), v, a, j;
equation
  v = der(x);
  a = der(v);
  j = der(a);
end M;
