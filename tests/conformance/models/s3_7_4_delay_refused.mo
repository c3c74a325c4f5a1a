// expect refused: 'delay' is not covered
model M
  Real y = delay(sin(time), 0.1);
end M;
