// A constant of a redeclared package as size of an array.
// expect t.y = 3
// expect u.y = 2
package MA constant Integer n = 2; end MA;
package MB extends MA(n = 3); end MB;
model T
  replaceable package Med = MA;
  Real x[Med.n] = ones(Med.n);
  Real y = sum(x);
end T;
model M
  T t(redeclare package Med = MB), u;
end M;
