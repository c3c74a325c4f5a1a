// Elements of an array of inputs are connected one by one.
// expect g.y = 2
connector RI = input Real; connector RO = output Real;
block Mux parameter Integer n=2; RI u[n]; RO y; equation y = u[2]; end Mux;
block C parameter Real k; RO y; equation y = k; end C;
model M
  C a(k=1), b(k=2); Mux g;
equation
  connect(a.y, g.u[1]); connect(b.y, g.u[2]);
end M;
