// expect refused: this format is for an Integer, but the number is Real
model M
  Real x = time;
equation
  assert(x < 5, "x is " + String(x, format = "d"));
end M;
