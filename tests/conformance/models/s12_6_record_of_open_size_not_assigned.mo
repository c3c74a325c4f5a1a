// expect refused: the fields of this 'R' have no sizes yet
record R
  Real t[:];
end R;
function f
  input Real a;
  output R r;
algorithm
  r.t := {a, a};
end f;
model M
  R r = f(1);
end M;
