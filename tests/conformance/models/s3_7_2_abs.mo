// abs has a kink; der of it changes sign at an event.
// expect z = 0.25
model M
  Real x(start = -0.5, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(z) = abs(x);
  annotation(experiment(StopTime = 1));
end M;
