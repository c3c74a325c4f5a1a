// An equation that would make an Integer a Real.
// expect refused: Integer
model M
  Integer n; equation n = 2.0*time;
end M;
