// Signals: an integrator behind a gain behind a source. der(y) = 3*2.
// expect i.y = 6
connector In = input Real;
connector Out = output Real;
block Constant
  parameter Real k = 1;
  Out y;
equation
  y = k;
end Constant;
block Gain
  In u;
  Out y;
  parameter Real k = 1;
equation
  y = k*u;
end Gain;
block Integrator
  In u;
  Out y(start = 0, fixed = true);
equation
  der(y) = u;
end Integrator;
model M
  Constant c(k = 2);
  Gain g(k = 3);
  Integrator i;
equation
  connect(c.y, g.u);
  connect(g.y, i.u);
end M;
