// expect refused: clocks are not covered
model M
  Clock c = Clock(0.1);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
end M;
