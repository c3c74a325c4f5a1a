// The gradient flow of a quadratic form on the unit sphere; it ends in the eigenvector of the smallest eigenvalue.
// Index 2. Without projection a numerical solution leaves the sphere like exp(2.7 t).

model gradient_flow_sphere "Gradient flow on the sphere (Rayleigh quotient)"
  parameter Integer n = 5;
  parameter Real A[n, n] = diagonal({i for i in 1:n}) + {{1 / (i + j) for j in 1:n} for i in 1:n};
  Real u[n](each start = 1 / sqrt(n));
  Real lambda;
equation
  der(u) = -A * u - lambda * u;
  (u * u - 1) / 2 = 0 "the sphere";
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01));
end gradient_flow_sphere;
