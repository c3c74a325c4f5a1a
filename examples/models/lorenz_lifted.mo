// The Lorenz attractor lifted on a paraboloid in four dimensions: chaos on a manifold. Index 2; lambda = u3 / 10.

model lorenz_lifted "Lorenz attractor lifted on a paraboloid"
  parameter Real sigma = 10, rho = 28, beta = 8 / 3;
  Real u1(start = 1, fixed = true), u2(start = 1, fixed = true), u3(start = 1, fixed = true), u4(start = 0.03);
  Real lambda;
  Real a, b, d "Lorenz's equations";
  Real k "how far lambda is from its value on the solution";
equation
  a = sigma * (u2 - u1);
  b = u1 * (rho - u3) - u2;
  d = u1 * u2 - beta * u3;
  k = u3 / 10 - lambda;
  der(u1) = a - k * u1 / 50;
  der(u2) = b - k * u2 / 50;
  der(u3) = d - k * u3 / 50;
  der(u4) = (u1 * a + u2 * b + u3 * d) / 50 + k;
  u4 = (u1^2 + u2^2 + u3^2) / 100 "the paraboloid";
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.005),
    __driftless(points = [u1, u2, u3], traces = {1}));
end lorenz_lifted;
