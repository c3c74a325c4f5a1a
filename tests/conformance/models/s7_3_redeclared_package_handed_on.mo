// A redeclared package is handed on to a component, and to a function of it: 20 + 6.
// expect p.t.y = 26
package MA constant Real k = 10; function f input Real x; output Real y; algorithm y := k + x; end f; end MA;
package MB extends MA(k = 20); end MB;
partial model Base
  replaceable package Med = MA;
  Real y;
end Base;
model T
  extends Base;
  function g input Real x; output Real y; algorithm y := Med.f(x); end g;
equation
  y = g(6);
end T;
model Plant
  replaceable package Med = MA;
  T t(redeclare package Med = Med);
end Plant;
model M
  Plant p(redeclare package Med = MB);
end M;
