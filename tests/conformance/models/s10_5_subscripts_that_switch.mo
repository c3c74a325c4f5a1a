// Boolean and enumeration subscripts that change at events.
// expect s = 22
// expect e2 = 7
model M
  type Size = enumeration(small, medium, large);
  parameter Real a[Boolean] = {10, 20};
  parameter Real b[Size] = {3, 7, 9};
  Size z(start=Size.small, fixed=true);
  Boolean on(start=false, fixed=true);
  Real s, e2;
  Real c[Boolean];
equation
  c[false] = 1; c[true] = 2;
  when time > 0.5 then on = true; z = Size.medium; end when;
  s = a[on] + c[on];
  e2 = b[z];
  annotation(experiment(StopTime=1));
end M;
