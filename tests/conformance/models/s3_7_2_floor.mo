// floor jumps at events.
// expect at 0.05: y = 0
// expect y = -3
// expect n = 1
model M
  Real x(start = 0.1, fixed = true), y;
  Integer n(start = 0, fixed = true);
equation
  der(x) = -1;
  y = floor(3*x);
  when y < -0.5 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end M;
