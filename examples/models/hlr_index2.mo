// An index-2 example that is nonlinear in the multiplier, too. After Hairer, Lubich and Roche (1989).
// Solution: u1 = exp(t), u2 = exp(-2 t), lambda = exp(2 t).

model hlr_index2 "Nonlinear index-2 example of Hairer, Lubich and Roche type"
  Real u1(start = 1, fixed = true), u2(start = 1), lambda(start = 1);
equation
  der(u1) = u1 * u2^2 * lambda^2;
  der(u2) = u1^2 * u2^2 - 3 * u2^2 * lambda;
  u1^2 * u2 = 1;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01));
end hlr_index2;
