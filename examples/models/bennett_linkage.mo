// Bennett's linkage: four bars, opposite ones equal, joined by four hinges whose axes are neither parallel nor meet in
// a point. By the usual count it could not move; it does as a sin(beta) = b sin(alpha). Bars are described by points
// where the hinges are and by unit vectors along their axes; those of the frame are variables, too, held where they
// are. The last hinge may as well be a ball: of twelve constraints on twelve coordinates one repeats the others.
// It swings to and fro; y points down.
//
//   driftless check bennett_linkage.mo
//   driftless solve bennett_linkage.mo --plot bennett_linkage.svg --view motion

model bennett_linkage "A spatial closed loop with redundant constraints (Bennett 1903)"
  parameter Real a(unit = "m") = 1 "length of the crank and of the bar opposite";
  parameter Real b(unit = "m") = 1.6 "length of the frame and of the bar opposite";
  parameter Real alpha(unit = "rad") = 0.5235987755982988 "angle between the axes of a";
  parameter Real beta(unit = "rad") = asin(b * sin(alpha) / a) "angle between the axes of b";
  parameter Real m(unit = "kg/m") = 1 "mass of bars per length", j(unit = "kg.m2") = 0.05 "inertia of axles";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real A[3](each unit = "m") "crank on the frame", D[3](each unit = "m", start = {b, 0, 0}) "rocker on the frame";
  Real B[3](each unit = "m", start = {0.6967067093471654, 0.7173560908995228, 0}, fixed = {true, false, false})
    "crank and coupler";
  Real C[3](each unit = "m", start = {1.2761921435426382, -0.5676737178287227, 0.7568982904382964})
    "coupler and rocker";
  Real eA[3](start = {0, 0, 1}), eB[3](start = {-0.3586780454497613, 0.34835335467358264, 0.8660254037844387});
  Real eC[3](start = {0.47306143152393526, 0.5956779660372604, 0.649138384853608}) "axes";
  Real vA[3], vB[3](fixed = {true, false, false}), vC[3], vD[3](each unit = "m/s");
  Real wA[3], wB[3], wC[3](each unit = "1/s") "rates of the axes";
  Real crank[5], coupler[5], rocker[2] "forces of constraints";
  Real fA[3], fD[3], tA[3] "what holds the frame";
  Real p[3] = B - A, q[3] = C - B, r[3] = C - D "bars";
  Real energy(unit = "J") = m * a / 6 * (vA * vA + vA * vB + vB * vB) + m * b / 6 * (vB * vB + vB * vC + vC * vC)
    + m * a / 6 * (vC * vC + vC * vD + vD * vD) + j / 2 * (wA * wA + wB * wB + wC * wC)
    - m * g / 2 * (a * (A[2] + B[2]) + b * (B[2] + C[2]) + a * (C[2] + D[2]));
protected
  parameter Real down[3] = {0, g, 0};
equation
  der(A) = vA;
  der(B) = vB;
  der(C) = vC;
  der(D) = vD;
  der(eA) = wA;
  der(eB) = wB;
  der(eC) = wC;
  m * a * (der(vA) / 3 + der(vB) / 6 - down / 2) = fA + 2 * crank[1] * p + crank[2] * eA + crank[3] * eB;
  m * a * (der(vA) / 6 + der(vB) / 3 - down / 2) + m * b * (der(vB) / 3 + der(vC) / 6 - down / 2)
    = -2 * crank[1] * p - crank[2] * eA - crank[3] * eB + 2 * coupler[1] * q + coupler[2] * eB + coupler[3] * eC;
  m * b * (der(vB) / 6 + der(vC) / 3 - down / 2) + m * a * (der(vC) / 3 + der(vD) / 6 - down / 2)
    = -2 * coupler[1] * q - coupler[2] * eB - coupler[3] * eC - 2 * rocker[1] * r - rocker[2] * eC;
  m * a * (der(vC) / 6 + der(vD) / 3 - down / 2) = fD + 2 * rocker[1] * r + rocker[2] * eC;
  j * der(wA) = tA - crank[2] * p - crank[4] * eB;
  j * der(wB) = -crank[3] * p - crank[4] * eA - 2 * crank[5] * eB - coupler[2] * q - coupler[4] * eC;
  j * der(wC) = -coupler[3] * q - coupler[4] * eB - 2 * coupler[5] * eC - rocker[2] * r;
  A = {0, 0, 0};
  D = {b, 0, 0};
  eA = {0, 0, 1};
  p * p = a^2 "the crank is rigid";
  eA * p = 0;
  eB * p = 0;
  eA * eB = cos(alpha);
  eB * eB = 1;
  q * q = b^2 "so is the coupler";
  eB * q = 0;
  eC * q = 0;
  eB * eC = cos(beta);
  eC * eC = 1;
  r * r = a^2 "and the rocker";
  eC * r = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02),
    __driftless(points = [A[1] + 0.3 * A[3], -A[2] + 0.2 * A[3]; B[1] + 0.3 * B[3], -B[2] + 0.2 * B[3];
        C[1] + 0.3 * C[3], -C[2] + 0.2 * C[3]; D[1] + 0.3 * D[3], -D[2] + 0.2 * D[3]],
      links = [1, 2; 2, 3; 3, 4; 1, 4], ground = {1, 4}, traces = {2, 3}));
end bennett_linkage;
