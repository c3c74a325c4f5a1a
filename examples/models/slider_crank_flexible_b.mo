// The slider crank with a flexible rod with constraints on velocity level: index 2. Simeon (1998), in the CWI/Bari test
// set for initial value problems. The published start violates the position constraints by 2e-10, and this form keeps that.

model slider_crank_flexible_b "Slider crank with flexible rod, velocity constraint, published start"
  // The rod is a beam with two bending modes q[1], q[2] and two stretching modes q[3], q[4].
  parameter Real M1(unit = "kg") = 0.36, M2(unit = "kg") = 0.151104, M3(unit = "kg") = 0.075552 "crank, rod, slider";
  parameter Real L1(unit = "m") = 0.15, L2(unit = "m") = 0.30 "crank, rod";
  parameter Real J1(unit = "kg.m2") = 0.002727, J2(unit = "kg.m2") = 0.0045339259;
  parameter Real E(unit = "N/m2") = 0.20e12 "Young's modulus of the rod";
  parameter Real b(unit = "m") = 0.0080, h(unit = "m") = 0.0080 "its width and height";
  parameter Real rho(unit = "kg/m3") = 7870 "its density";
  parameter Real g(unit = "m/s2") = 0 "gravity";
  parameter Real Omega(unit = "rad/s") = 150 "the crank turns at this speed";
  constant Real pi = 3.1415927 "as in the source: more digits change the modes by 3e-6";
  // Matrices of the beam
  parameter Real FM = rho * b * h * L2, FK = E * b * h / L2, FB = b * h * L2, slender = (h / L2)^2;
  parameter Real MQ[4, 4] = FM * [0.5, 0, 0, 0; 0, 0.5, 0, 0; 0, 0, 8, 1; 0, 0, 1, 2];
  parameter Real KQ[4, 4] = FK * [pi^4 / 24 * slender, 0, 0, 0; 0, 2 * pi^4 / 3 * slender, 0, 0;
    0, 0, 16 / 3, -8 / 3; 0, 0, -8 / 3, 7 / 3];
  parameter Real B13 = -16 * FB / pi^3, B14 = FB * (8 / pi^3 - 1 / pi), B24 = FB / (2 * pi);
  parameter Real BQ[4, 4] = [0, 0, B13, B14; 0, 0, 0, B24; -B13, 0, 0, 0; -B14, -B24, 0, 0];
  parameter Real c1[4] = FB * {0, 0, 2 / 3, 1 / 6}, c2[4] = FB * {2 / pi, 0, 0, 0};
  parameter Real c12[4] = L2 * FB * {0, 0, 1 / 3, 1 / 6}, c21[4] = L2 * FB * {1 / pi, -1 / (2 * pi), 0, 0};
  Real phi1(unit = "rad", start = 0, fixed = true), phi2(unit = "rad", start = 0, fixed = true) "angles of crank and rod";
  Real x3(unit = "m", start = 0.450016933, fixed = true) "slider";
  Real q[4](start = {0, 0, 0.103339863e-4, 0.169327969e-4}, each fixed = true) "modes";
  Real w1(unit = "rad/s", start = 150), w2(unit = "rad/s", start = -74.995767039694513);
  Real v3(unit = "m/s", start = -2.6893867200000001e-06);
  Real qv[4](start = {0.444896112581599, 0.0046343393192387426, -1.78591076e-06, -2.6893867200000001e-06}, each fixed = true);
  Real lambda[3];
  Real s, c "sine and cosine of the angle between crank and rod";
  Real m12, m1q[4], m2q[4] "entries of the mass matrix";
equation
  s = sin(phi1 - phi2);
  c = cos(phi1 - phi2);
  m12 = L1 * L2 * M2 * c / 2 + rho * L1 * (s * (c2 * q) + c * (c1 * q));
  m1q = rho * L1 * (c * c2 - s * c1);
  m2q = rho * (c21 - BQ * q);
  der(phi1) = w1;
  der(phi2) = w2;
  der(x3) = v3;
  der(q) = qv;
  // Newton's law
  (J1 + M2 * L1^2) * der(w1) + m12 * der(w2) + m1q * der(qv)
    = -L1 * g * (M1 + 2 * M2) * cos(phi1) / 2 - L1 * L2 * M2 * w2^2 * s / 2
    + rho * L1 * w2^2 * (c * (c2 * q) - s * (c1 * q)) - 2 * rho * L1 * w2 * (c * (c1 * qv) + s * (c2 * qv))
    - L1 * (cos(phi1) * lambda[1] + sin(phi1) * lambda[2]) - lambda[3];
  m12 * der(w1) + (J2 + q * MQ * q + 2 * rho * (c12 * q)) * der(w2) + m2q * der(qv)
    = -L2 * g * M2 * cos(phi2) / 2 + L1 * L2 * M2 * w1^2 * s / 2 + rho * L1 * w1^2 * (s * (c1 * q) - c * (c2 * q))
    - 2 * rho * w2 * (c12 * qv) - 2 * w2 * (qv * MQ * q) - rho * (qv * BQ * qv)
    - rho * g * (cos(phi2) * (c1 * q) - sin(phi2) * (c2 * q))
    - (L2 + q[4]) * (cos(phi2) * lambda[1] + sin(phi2) * lambda[2]);
  M3 * der(v3) = -lambda[2];
  m1q * der(w1) + m2q * der(w2) + MQ * der(qv)
    = w2^2 * (MQ * q) + rho * (w2^2 * c12 + L1 * w1^2 * (c * c1 + s * c2) + 2 * w2 * (BQ * qv))
    - rho * g * (sin(phi2) * c1 + cos(phi2) * c2) - KQ * q
    - {0, 0, 0, sin(phi2) * lambda[1] - cos(phi2) * lambda[2]};
  L1 * cos(phi1) * w1 + (L2 + q[4]) * cos(phi2) * w2 + sin(phi2) * qv[4] = 0 "the slider stays on its line";
  v3 + L1 * sin(phi1) * w1 + (L2 + q[4]) * sin(phi2) * w2 - cos(phi2) * qv[4] = 0;
  w1 - Omega = 0;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-6, Interval = 2e-4),
    __driftless(points = [0, 0; L1 * cos(phi1), L1 * sin(phi1); x3, 0], links = [1, 2; 2, 3], ground = {1}, traces = {3}));
end slider_crank_flexible_b;
