// A Real is no Integer, whatever its value.
// expect refused: Integer
model M
  Real x = 2.5; Integer n = x;
end M;
