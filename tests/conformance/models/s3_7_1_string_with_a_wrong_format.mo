// expect refused: this is no format for a number
model M
  Real x = time;
equation
  assert(x < 5, "x is " + String(x, format = "%5.2f"));
end M;
