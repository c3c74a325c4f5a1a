// An initial equation that the equations contradict is named.
// expect refused: cannot be met
model M
  Boolean b;
  Real x(start = 0, fixed = true);
initial equation
  b = true;
equation
  der(x) = 1;
  b = x > 0.5;
  annotation(experiment(StopTime = 1));
end M;
