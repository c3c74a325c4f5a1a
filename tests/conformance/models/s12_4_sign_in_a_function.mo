// A function makes no events.
// expect at 0.25: y = -1
// expect y = 1
// expect events = 0
function f
  input Real x;
  output Real y;
algorithm
  y := if x > 0 then 1 else -1;
end f;
model M
  Real x(start = -0.5, fixed = true), y;
equation
  der(x) = 1;
  y = f(x);
  annotation(experiment(StopTime = 1));
end M;
