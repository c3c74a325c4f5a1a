// Voltages at a connection are equal, currents add up to zero: der(v) = (3 - v)/(R C) with R C = 1.
// expect c.v = 1.8963616764856731
// expect r.i = 0.55181916175716348
// expect s.p.i = -0.55181916175716348
// expect g.p.i = 0
connector Pin
  Real v;
  flow Real i;
end Pin;
partial model OnePort
  Pin p, n;
  Real v, i;
equation
  v = p.v - n.v;
  0 = p.i + n.i;
  i = p.i;
end OnePort;
model Resistor
  extends OnePort;
  parameter Real R = 1;
equation
  v = R*i;
end Resistor;
model Capacitor
  extends OnePort(v(start = 0, fixed = true));
  parameter Real C = 1;
equation
  C*der(v) = i;
end Capacitor;
model Source
  extends OnePort;
  parameter Real V = 1;
equation
  v = V;
end Source;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model M
  Resistor r(R = 2);
  Capacitor c(C = 0.5);
  Source s(V = 3);
  Ground g;
equation
  connect(s.p, r.p);
  connect(r.n, c.p);
  connect(c.n, s.n);
  connect(s.n, g.p);
end M;
