// A manufactured index-2 problem: several derivatives in one equation, with factors that depend on the solution and on
// time, and a multiplier that enters nonlinearly. Solution: u = (cos t, sin t, exp(-t)), lambda = 1 + sin(3 t) / 2.

model mms_index2_gamma "Manufactured index-2 problem with mass matrix Gamma(u, t)"
  Real u1(start = 1), u2(start = 0, fixed = true), u3(start = 1, fixed = true);
  Real lambda(start = 1);
  Real s1, s2, s3 "slopes of the wanted solution";
  Real wanted "lambda of the wanted solution";
  Real kappa "how far lambda is from it";
equation
  s1 = -u2;
  s2 = u1;
  s3 = -u3;
  wanted = 1 + 0.5 * sin(3 * time);
  kappa = (lambda - wanted) + 0.25 * (lambda^2 - wanted^2);
  (2 + sin(time)) * der(u1) + 0.3 * u1 * u2 * der(u2)
    = (2 + sin(time)) * s1 + 0.3 * u1 * u2 * s2 - 2 * kappa * u1;
  0.3 * u1 * u2 * der(u1) + (2 + u1^2) * der(u2) + 0.2 * cos(time) * der(u3)
    = 0.3 * u1 * u2 * s1 + (2 + u1^2) * s2 + 0.2 * cos(time) * s3 - 2 * kappa * u2;
  0.2 * cos(time) * der(u2) + (1 + u3^2) * der(u3)
    = 0.2 * cos(time) * s2 + (1 + u3^2) * s3 - kappa * u3;
  u1^2 + u2^2 + 0.5 * u3^2 = 1 + 0.5 * exp(-2 * time) "an ellipsoid that shrinks";
  annotation(experiment(StopTime = 2, Tolerance = 1e-6, Interval = 0.01));
end mms_index2_gamma;
