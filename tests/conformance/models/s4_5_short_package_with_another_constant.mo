// package B = A(cp = 200): its functions use 200.
// expect y = 600
package A constant Real cp = 100; function h input Real T; output Real h; algorithm h := cp*T; end h; end A;
model M
  package B = A(cp = 200);
  Real y = B.h(3);
end M;
