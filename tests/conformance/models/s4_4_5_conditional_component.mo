// The second load is not there; connections to it are left out.
// expect a.x = 4
// expect s.p.i = -4
connector Pin
  Real v;
  flow Real i;
end Pin;
model Load
  Pin p;
  parameter Real G = 1;
  Real x;
equation
  p.i = G*p.v;
  x = p.i;
end Load;
model Source
  Pin p;
equation
  p.v = 2;
end Source;
model M
  parameter Boolean both = false;
  Source s;
  Load a(G = 2);
  Load b(G = 100) if both;
equation
  connect(s.p, a.p);
  connect(s.p, b.p);
end M;
