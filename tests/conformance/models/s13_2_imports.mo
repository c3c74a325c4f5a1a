// expect x = 8
// expect y = 5
// expect z = 6
package P
  constant Real k = 2;
  type Length = Real(unit = "m");
  package Q
    function twice
      input Real x;
      output Real y;
    algorithm
      y := k*x;
    end twice;
    record R
      Real a;
      Real b = 3;
    end R;
  end Q;
  model M
    import Modelica.Constants.pi;
    import Modelica.Math.*;
    import F = P.Q.twice;
    import P.Q.{twice, R};
    Length x;
    R r(a = 1);
    Real y = sin(pi/2) + F(2) + Modelica.Math.sin(0);
    Real z = twice(3);
    constant Real c = k + 1;
  equation
    x = Q.twice(r.a) + r.b + c;
  end M;
end P;
