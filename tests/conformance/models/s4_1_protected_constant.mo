// Of a package, too.
// expect refused: 'P.c' is protected
package P
protected
  constant Real c = 3;
end P;
model M
  Real x = P.c;
end M;
