// An index-3 example that is no mechanical system: the derivatives of y are nonlinear in z. After Hairer, Lubich and
// Roche (1989). Solution: y1 = z1 = exp(2 t), y2 = z2 = exp(-t), lambda = exp(t).

model hlr_index3 "Nonlinear index-3 example of Hairer, Lubich and Roche type"
  Real y1(start = 1), y2(start = 1, fixed = true);
  Real z1(start = 1), z2(start = 1, fixed = true);
  Real lambda(start = 1);
equation
  der(y1) = 2 * y1 * y2 * z1 * z2;
  der(y2) = -y1 * y2 * z2^2;
  der(z1) = (y1 * y2 + z1 * z2) * lambda;
  der(z2) = -y1 * y2^2 * z2^2 * lambda;
  y1 * y2^2 = 1;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01));
end hlr_index3;
