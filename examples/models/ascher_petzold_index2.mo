// A linear index-2 problem that depends on time; the larger alpha, the less stable are methods without projection.
// Ascher and Petzold, Projected implicit Runge-Kutta methods for differential-algebraic equations (1991).
// Solution: u1 = u2 = exp(t), lambda = -exp(t) / (2 - t).

model ascher_petzold_index2 "Linear index-2 problem of Ascher and Petzold"
  parameter Real alpha = 10;
  Real u1(start = 1), u2(start = 1, fixed = true), lambda;
equation
  der(u1) = (alpha - 1 / (2 - time)) * u1 + (2 - time) * alpha * lambda + (3 - time) / (2 - time) * exp(time);
  der(u2) = (1 - alpha) / (time - 2) * u1 - u2 + (alpha - 1) * lambda + 2 * exp(time);
  (time + 2) * u1 + (time^2 - 4) * u2 = (time^2 + time - 2) * exp(time);
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01));
end ascher_petzold_index2;
