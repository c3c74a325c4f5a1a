// reinit outside of when is refused.
// expect refused: belongs in a 'when'
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  reinit(x, 0);
  annotation(experiment(StopTime = 1));
end M;
