// A manufactured mechanical problem of index 3: a pendulum in space with a moving pivot, a length that varies, a mass
// matrix that depends on the position, and a force that makes the wanted motion the solution.

model mms_index3_nonautonomous "Manufactured nonautonomous mechanical problem of index 3"
  Real q[3](start = {0, 0, -1}) "position";
  Real v[3](start = {0.8, 0, -0.2}) "velocity";
  Real lambda(start = 3);
  // The wanted motion: direction n, length l and pivot p with their derivatives
  parameter Real a = 0.5, b = 0.7;
  Real S, C, s, c;
  Real n[3], dn[3], ddn[3];
  Real l, dl, ddl, p;
  Real wq[3], wv[3], ww[3], wlambda "position, velocity, acceleration and multiplier of the wanted motion";
  Real along, arm[3];
  Real natural[3], wanted[3] "drag, gyroscopic force and gravity, for v and for wv";
equation
  S = sin(a * time);
  C = cos(a * time);
  s = sin(b * time);
  c = cos(b * time);
  n = {S * c, S * s, -C};
  dn = {a * C * c - b * S * s, a * C * s + b * S * c, a * S};
  ddn = {-(a^2 + b^2) * S * c - 2 * a * b * C * s, -(a^2 + b^2) * S * s + 2 * a * b * C * c, a^2 * C};
  l = 1 + 0.1 * sin(2 * time);
  dl = 0.2 * cos(2 * time);
  ddl = -0.4 * sin(2 * time);
  p = 0.3 * sin(time);
  wq = l * n + {p, 0, 0};
  wv = dl * n + l * dn + {0.3 * cos(time), 0, 0};
  ww = ddl * n + 2 * dl * dn + l * ddn - {0.3 * sin(time), 0, 0};
  wlambda = 2 + cos(3 * time);
  along = 0.2 * (wq * ww);
  arm = wq - {p, 0, 0};
  natural = -0.1 * (v * v) * v + {0.5 * v[2], -0.5 * v[1], -1};
  wanted = -0.1 * (wv * wv) * wv + {0.5 * wv[2], -0.5 * wv[1], -1};

  der(q) = v;
  // (I + 0.2 q q^T) v' = F - G^T lambda
  der(v) + 0.2 * (q * der(v)) * q
    = natural + ww + along * wq + arm * wlambda - wanted - (q - {p, 0, 0}) * lambda;
  ((q[1] - p)^2 + q[2]^2 + q[3]^2 - l^2) / 2 = 0 "distance from the pivot";
  annotation(experiment(StopTime = 3, Tolerance = 1e-6, Interval = 0.01));
end mms_index3_nonautonomous;
