// Connections of a component that is not there vanish.
// expect a = 0.5
// expect b = 0
model M
  connector Pin
    Real v; flow Real i;
  end Pin;
  model R
    parameter Real r = 1;
    Pin p, n;
  equation
    p.i + n.i = 0;
    p.v - n.v = r*p.i;
  end R;
  model Source
    Pin p, n;
  equation
    p.v - n.v = 1;
    p.i + n.i = 0;
  end Source;
  model Ground Pin p; equation p.v = 0; end Ground;
  parameter Boolean second = false;
  Source s; R r1(r=2); R r2(r=2) if second; Ground g;
  Real a = r1.p.i;
  Real b = s.n.v;
equation
  connect(s.p, r1.p); connect(s.p, r2.p);
  connect(s.n, r1.n); connect(s.n, r2.n); connect(g.p, s.n);
end M;
