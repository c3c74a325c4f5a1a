// smooth(p, e) makes no events.
// expect y = 0
// expect events = 0
model M
  Real x(start = -0.5, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = smooth(1, if x > 0 then x^2 else -x^2);
  annotation(experiment(StopTime = 1));
end M;
