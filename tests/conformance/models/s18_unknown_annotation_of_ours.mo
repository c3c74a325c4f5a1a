// expect refused: the annotation __driftless has no 'pionts'
model M
  Real x = time;
  annotation(__driftless(pionts = [0, 0]));
end M;
