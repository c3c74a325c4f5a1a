// A branch of a right-hand side changes at the located event.
// expect y = 1
// expect events = 1
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = if x > 0.5 then 2 else 0;
  annotation(experiment(StopTime = 1));
end M;
