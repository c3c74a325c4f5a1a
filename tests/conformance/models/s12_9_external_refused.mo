// expect refused: is external: its body is not in the model
function f
  input Real x;
  output Real y;
external "C" y = my_f(x);
end f;
model M
  Real y = f(time);
end M;
