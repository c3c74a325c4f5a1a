// expect y = 7
package P
  partial function OneIn
    input Real x;
    output Real y;
  end OneIn;
  function f
    extends OneIn;
    input Real k = 2;
  algorithm
    y := k*x + 1;
  end f;
end P;
model M
  Real y = P.f(3);
end M;
