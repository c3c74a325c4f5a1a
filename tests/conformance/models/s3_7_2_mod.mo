// mod(x, y) = x - floor(x/y)*y.
// expect at 0.2: y = 0.2
// expect at 0.4: y = 0.1
// expect y = 0.1
// expect n = 3
model M
  Real x(start = 0, fixed = true), y;
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  y = mod(x, 0.3);
  when y > 0.15 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
