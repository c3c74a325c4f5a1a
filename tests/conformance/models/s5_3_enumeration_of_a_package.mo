// expect n = 2
// expect x = 5
package P
  type Mode = enumeration(off, on);
  constant Real table[3] = {4, 5, 6};
end P;
model M
  parameter P.Mode m = P.Mode.on;
  Integer n = Integer(m);
  Real x = P.table[2];
end M;
