// A Boolean that would change between events is refused.
// expect refused: would change between events
model M
  Real x(start = 0, fixed = true);
  Boolean b;
equation
  der(x) = 1;
  b = noEvent(x > 0.5);
  annotation(experiment(StopTime = 1));
end M;
