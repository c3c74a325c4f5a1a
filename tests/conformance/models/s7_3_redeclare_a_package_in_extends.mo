// A replaceable package that is redeclared where its model is extended.
// expect y = 20
package MA constant Real k = 10; end MA;
package MB constant Real k = 20; end MB;
partial model T
  replaceable package Med = MA;
  Real y = Med.k;
end T;
model M
  extends T(redeclare package Med = MB);
end M;
