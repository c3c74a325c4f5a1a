// StopTime = StartTime asks for the initial values.
// expect x = 3
// expect y = 6
// expect n = 5
model M
  Real x(start = 3, fixed = true), y;
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  y = 2*x;
  when initial() then
    n = 5;
  end when;
  annotation(experiment(StopTime = 0));
end M;
