// A function of a package that is inherited sees the constant as the extends clause changes it: 200*3.
// expect y = 600
package A constant Real cp = 100; function h input Real T; output Real h; algorithm h := cp*T; end h; end A;
package B extends A(cp = 200); end B;
model M
  Real y = B.h(3);
end M;
