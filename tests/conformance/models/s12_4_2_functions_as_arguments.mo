// The area under a u^2 + c from 0 to 3 is 9 a + 3 c, which Simpson's rule has exactly.
// expect plain = 9
// expect applied = 21
// expect twice = 30
// expect moving = 36
// expect sines = 0.5
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
function both
  input Integrand f, g;
  input Real to;
  output Real sum;
algorithm
  sum := simpson(f, 0, to) + simpson(function g(), 0, to);
end both;
function at
  input Integrand f;
  input Real u;
  output Real y = f(u);
algorithm
end at;
model M
  Real plain = simpson(Parabola, 0, 3);
  Real applied = simpson(function Parabola(a = 2, c = 1), 0, 3);
  Real twice = both(Parabola, function Parabola(a = 2, c = 1), 3);
  Real moving = simpson(function Parabola(a = 1 + 3*time), 0, 3);
  Real sines = at(sin, asin(0.5));
  annotation(experiment(StopTime = 1));
end M;
