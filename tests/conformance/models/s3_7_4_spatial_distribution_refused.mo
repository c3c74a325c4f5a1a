// expect refused: 'spatialDistribution' is not covered
model M
  Real x = time, a, b;
equation
  (a, b) = spatialDistribution(1, 0, x, true);
end M;
