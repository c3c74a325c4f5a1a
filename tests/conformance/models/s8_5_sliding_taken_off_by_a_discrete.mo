// The same with a discrete variable in the relation: a setpoint that jumps from 0 to 1 lets x rise with slope 1.
// expect at 0.75: x = 0
// expect at 1.5: x = 0.5
// expect x = 1
// expect n = 1
model M
  Real x(start = -0.5, fixed = true);
  discrete Real r(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = if x > r then -1 else 1;
  when time >= 1 then
    r = 1;
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 3));
end M;
