// expect refused: the argument 'f' must be a function
partial function Integrand
  input Real u;
  output Real y;
end Integrand;
function Parabola
  extends Integrand;
  input Real a = 1;
  input Real c = 0;
algorithm
  y := a*u^2 + c;
end Parabola;
function simpson
  input Integrand f;
  input Real from, to;
  output Real area;
algorithm
  area := (to - from)/6*(f(from) + 4*f((from + to)/2) + f(to));
end simpson;
model M
  Real x = simpson(3, 0, 1);
end M;
