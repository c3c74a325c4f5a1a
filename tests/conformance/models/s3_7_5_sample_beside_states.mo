// The same beside a differential equation.
// expect at 0.05: k = 1
// expect k = 11
// expect x = 1
model M
  Real x(start = 0, fixed = true);
  Integer k(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0, 0.1) then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
