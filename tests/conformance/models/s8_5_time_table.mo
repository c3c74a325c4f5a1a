// Corners of a piecewise function of time are hit exactly.
// expect x = 1
// expect events = 2
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = if time < 0.25 then 1 elseif time < 0.5 then 3 else 0;
  annotation(experiment(StopTime = 1));
end M;
