// pre(x) of a continuous variable inside when is its left limit.
// expect z = 0
// expect w = 10
// expect y = 10
model M
  Real x(start = 0, fixed = true);
  Real y;
  Integer n(start = 0, fixed = true);
  discrete Real z(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = 0;
  y = x + 10*n;
  when time >= 0.5 then
    n = 1;
    z = pre(y);
    w = y;
  end when;
  annotation(experiment(StopTime = 1));
end M;
