// expect a[1].y = 2
// expect a[2].y = 8
model A
  parameter Integer n = 1;
  Real y;
algorithm
  y := 1;
  for i in 1:n loop
    y := 2*y;
  end for;
end A;
model M
  A a[2](n = {1, 3});
end M;
