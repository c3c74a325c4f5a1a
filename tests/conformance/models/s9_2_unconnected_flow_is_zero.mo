// Nobody is connected to b: its flow is zero, and the mass keeps what comes in at a.
// expect m.b.Q = 0
// expect m.T = 3
connector Port
  Real T;
  flow Real Q;
end Port;
model Mass
  Port a, b;
  Real T(start = 0, fixed = true);
equation
  a.T = T;
  b.T = T;
  der(T) = a.Q + b.Q;
end Mass;
model Source
  Port a;
equation
  a.Q = -3;
end Source;
model M
  Mass m;
  Source s;
equation
  connect(m.a, s.a);
end M;
