// One mass for each body.
// expect b[1].x = 1
// expect b[2].x = 3
record Body
  parameter Real m = 1;
  Real x;
end Body;
model M
  Body b[2](m = {1, 3});
equation
  for i in 1:2 loop
    b[i].x = b[i].m*time;
  end for;
end M;
