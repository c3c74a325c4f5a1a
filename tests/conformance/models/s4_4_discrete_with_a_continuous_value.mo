// A discrete variable changes at events only: it cannot be equal to one that moves.
// expect refused: s4_4_discrete_with_a_continuous_value.mo:5:17: error: 'a' is discrete, but
model M
  Real x(start = 0, fixed = true);
  discrete Real a = x;
equation
  der(x) = 1;
end M;
