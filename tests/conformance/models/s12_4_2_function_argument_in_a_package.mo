// The same with functions of packages and components, and a library function.
// expect a.area = 18
// expect b = 1
package Functions
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
  function slope
    input Integrand f;
    input Real at;
    output Real d;
  algorithm
    d := (f(at + 0.5) - f(at - 0.5));
  end slope;
end Functions;
model Area
  import Functions.*;
  parameter Real a = 1;
  Real area = simpson(function Parabola(a = a), 0, 3);
end Area;
model M
  Area a(a = 2);
  Real b = Functions.slope(Modelica.Math.cosh, 0) + Functions.slope(Functions.Parabola, 0.5);
end M;
