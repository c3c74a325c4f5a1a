// Andrews' squeezing mechanism: seven bodies in the plane, driven by a motor with constant torque.
// CWI/Bari test set for initial value problems. Index 3.
//
//   driftless solve andrews_squeezer.mo --rtol 1e-9

model andrews_squeezer "Andrews' squeezing mechanism (seven bodies)"
  // Masses and moments of inertia of the seven bodies
  parameter Real m1(unit = "kg") = 0.04325, m2(unit = "kg") = 0.00365, m3(unit = "kg") = 0.02373;
  parameter Real m4(unit = "kg") = 0.00706, m5(unit = "kg") = 0.07050, m6(unit = "kg") = 0.00706;
  parameter Real m7(unit = "kg") = 0.05498;
  parameter Real I1(unit = "kg.m2") = 2.194e-6, I2(unit = "kg.m2") = 4.410e-7, I3(unit = "kg.m2") = 5.255e-6;
  parameter Real I4(unit = "kg.m2") = 5.667e-7, I5(unit = "kg.m2") = 1.169e-5, I6(unit = "kg.m2") = 5.667e-7;
  parameter Real I7(unit = "kg.m2") = 1.912e-5;
  // Where the mechanism is fixed
  parameter Real xa(unit = "m") = -0.06934, ya(unit = "m") = -0.00227;
  parameter Real xb(unit = "m") = -0.03635, yb(unit = "m") = 0.03273;
  parameter Real xc(unit = "m") = 0.014, yc(unit = "m") = 0.072;
  // Spring and motor
  parameter Real c0(unit = "N/m") = 4530 "stiffness of the spring";
  parameter Real l0(unit = "m") = 0.07785 "its length at rest";
  parameter Real mom(unit = "N.m") = 0.033 "torque of the motor";
  // Lengths
  parameter Real d(unit = "m") = 0.028, da(unit = "m") = 0.0115, e(unit = "m") = 0.02, ea(unit = "m") = 0.01421;
  parameter Real rr(unit = "m") = 0.007, ra(unit = "m") = 0.00092, ss(unit = "m") = 0.035, sa(unit = "m") = 0.01874;
  parameter Real sb(unit = "m") = 0.01043, sc(unit = "m") = 0.018, sd(unit = "m") = 0.02, ta(unit = "m") = 0.02308;
  parameter Real tb(unit = "m") = 0.00916, u(unit = "m") = 0.04, ua(unit = "m") = 0.01228, ub(unit = "m") = 0.00449;
  parameter Real zf(unit = "m") = 0.02, zt(unit = "m") = 0.04, fa(unit = "m") = 0.01421;
  parameter Real e1(unit = "m") = e - ea, z1(unit = "m") = zf - fa;

  // Angles and their velocities. One number determines the start of each: Theta, which is 0.
  Real beta(unit = "rad", start = -0.0617138900142764496358948458001);
  Real Theta(unit = "rad", start = 0, fixed = true);
  Real gamma(unit = "rad", start = 0.455279819163070380255912382449);
  Real Phi(unit = "rad", start = 0.222668390165885884674473185609);
  Real delta(unit = "rad", start = 0.487364979543842550225598953530);
  Real Omega(unit = "rad", start = -0.222668390165885884674473185609);
  Real epsilon(unit = "rad", start = 1.23054744454982119249735015568);
  Real w_beta(unit = "rad/s", start = 0), w_Theta(unit = "rad/s", start = 0, fixed = true);
  Real w_gamma(unit = "rad/s", start = 0), w_Phi(unit = "rad/s", start = 0), w_delta(unit = "rad/s", start = 0);
  Real w_Omega(unit = "rad/s", start = 0), w_epsilon(unit = "rad/s", start = 0);
  Real lambda[6](each unit = "N") "forces that close the three loops";

  // The point in which the loops meet, and its derivatives by beta and Theta
  Real x(unit = "m"), y(unit = "m"), x_beta(unit = "m"), y_beta(unit = "m"), x_Theta(unit = "m"), y_Theta(unit = "m");
  // The spring
  Real dx(unit = "m"), dy(unit = "m"), length(unit = "m"), pull(unit = "N/m");
equation
  der(beta) = w_beta;
  der(Theta) = w_Theta;
  der(gamma) = w_gamma;
  der(Phi) = w_Phi;
  der(delta) = w_delta;
  der(Omega) = w_Omega;
  der(epsilon) = w_epsilon;

  x = rr * cos(beta) - d * cos(beta + Theta);
  y = rr * sin(beta) - d * sin(beta + Theta);
  x_beta = -y;
  y_beta = x;
  x_Theta = d * sin(beta + Theta);
  y_Theta = -d * cos(beta + Theta);

  dx = sd * cos(gamma) + sc * sin(gamma) + xb - xc;
  dy = sd * sin(gamma) - sc * cos(gamma) + yb - yc;
  length = sqrt(dx^2 + dy^2);
  pull = -c0 * (length - l0) / length;

  // Newton's law, M w' = f - G^T lambda
  (m1 * ra^2 + m2 * (rr^2 - 2 * da * rr * cos(Theta) + da^2) + I1 + I2) * der(w_beta)
    + (m2 * (da^2 - da * rr * cos(Theta)) + I2) * der(w_Theta)
    = mom - m2 * da * rr * w_Theta * (w_Theta + 2 * w_beta) * sin(Theta)
    - x_beta * (lambda[1] + lambda[3] + lambda[5]) - y_beta * (lambda[2] + lambda[4] + lambda[6]);
  (m2 * (da^2 - da * rr * cos(Theta)) + I2) * der(w_beta) + (m2 * da^2 + I2) * der(w_Theta)
    = m2 * da * rr * w_beta^2 * sin(Theta)
    - x_Theta * (lambda[1] + lambda[3] + lambda[5]) - y_Theta * (lambda[2] + lambda[4] + lambda[6]);
  (m3 * (sa^2 + sb^2) + I3) * der(w_gamma)
    = pull * (dx * (sc * cos(gamma) - sd * sin(gamma)) + dy * (sd * cos(gamma) + sc * sin(gamma)))
    + ss * (cos(gamma) * lambda[1] + sin(gamma) * lambda[2]);
  (m4 * e1^2 + I4) * der(w_Phi) + (m4 * (e1^2 + zt * e1 * sin(Phi)) + I4) * der(w_delta)
    = m4 * zt * e1 * w_delta^2 * cos(Phi)
    + e * (cos(Phi + delta) * lambda[3] + sin(Phi + delta) * lambda[4]);
  (m4 * (e1^2 + zt * e1 * sin(Phi)) + I4) * der(w_Phi)
    + (m4 * (zt^2 + 2 * zt * e1 * sin(Phi) + e1^2) + m5 * (ta^2 + tb^2) + I4 + I5) * der(w_delta)
    = -m4 * zt * e1 * w_Phi * (w_Phi + 2 * w_delta) * cos(Phi)
    + (e * cos(Phi + delta) - zt * sin(delta)) * lambda[3] + (e * sin(Phi + delta) + zt * cos(delta)) * lambda[4];
  (m6 * z1^2 + I6) * der(w_Omega) + (m6 * (z1^2 - u * z1 * sin(Omega)) + I6) * der(w_epsilon)
    = -m6 * u * z1 * w_epsilon^2 * cos(Omega)
    - zf * (sin(Omega + epsilon) * lambda[5] - cos(Omega + epsilon) * lambda[6]);
  (m6 * (z1^2 - u * z1 * sin(Omega)) + I6) * der(w_Omega)
    + (m6 * (z1^2 - 2 * u * z1 * sin(Omega) + u^2) + m7 * (ua^2 + ub^2) + I6 + I7) * der(w_epsilon)
    = m6 * u * z1 * w_Omega * (w_Omega + 2 * w_epsilon) * cos(Omega)
    - (zf * sin(Omega + epsilon) - u * cos(epsilon)) * lambda[5]
    + (zf * cos(Omega + epsilon) + u * sin(epsilon)) * lambda[6];

  // The loops are closed
  x - ss * sin(gamma) = xb;
  y + ss * cos(gamma) = yb;
  x - e * sin(Phi + delta) - zt * cos(delta) = xa;
  y + e * cos(Phi + delta) - zt * sin(delta) = ya;
  x - zf * cos(Omega + epsilon) - u * sin(epsilon) = xa;
  y - zf * sin(Omega + epsilon) + u * cos(epsilon) = ya;
  annotation(experiment(StopTime = 0.03, Tolerance = 1e-6, Interval = 1e-4),
    __driftless(
      points = [0, 0; rr * cos(beta), rr * sin(beta); x, y; xb, yb; xc + dx, yc + dy; xc, yc; xa, ya;
        xa + zt * cos(delta), ya + zt * sin(delta); xa + u * sin(epsilon), ya - u * cos(epsilon)],
      links = [1, 2; 2, 3; 7, 8; 8, 3; 7, 9; 9, 3], bodies = [4, 3, 5], springs = [5, 6], ground = {1, 4, 6, 7},
      traces = {3, 5}));
end andrews_squeezer;
