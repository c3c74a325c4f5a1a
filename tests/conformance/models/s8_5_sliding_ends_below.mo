// The mirror image: slides from t = 1 - sqrt(0.8) until the force is -1 at t = 1; then x = -(t - 1)^2/2.
// expect at 0.5: x = 0
// expect at 1.5: x = -0.125
// expect x = -0.5
// expect events = 2
model M
  Real x(start = -0.1, fixed = true);
equation
  der(x) = -time + (if x > 0 then -1 else 1);
  annotation(experiment(StopTime = 2));
end M;
