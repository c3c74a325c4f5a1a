// A relation of an unknown that a linear loop determines.
// expect n = 1
// expect a = 0.75
// expect events = 1
model M
  Real x(start = 0, fixed = true), a, b;
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  a + b = x;
  a - b = 0.5*x;
  when a > 0.375 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
