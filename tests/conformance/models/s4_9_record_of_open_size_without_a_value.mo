// expect refused: the size of the field 't' is open, and there is no value that would tell it
record R
  Real t[:];
end R;
model M
  R r;
equation
  r.t = {1, 2};
end M;
