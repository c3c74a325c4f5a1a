// The Brusselator with diffusion on n x n cells of the unit square, no flux through the edges (Hairer and Wanner,
// Solving Ordinary Differential Equations II, IV.10, with alpha = 0.002). Any size.

model brusselator "Brusselator with diffusion in two dimensions"
  parameter Integer n(min = 2) = 8 "cells along a side";
  parameter Real alpha = 0.002;
  parameter Real d = alpha * n^2;
  Real u[n, n](start = {{0.5 + (j - 0.5) / n for j in 1:n} for i in 1:n}, each fixed = true);
  Real v[n, n](start = {{1 + 5 * (i - 0.5) / n for j in 1:n} for i in 1:n}, each fixed = true);
equation
  for i in 1:n loop
    for j in 1:n loop
      der(u[i, j]) = 1 + u[i, j]^2 * v[i, j] - 4.4 * u[i, j] + d * (u[max(i - 1, 1), j] + u[min(i + 1, n), j]
        + u[i, max(j - 1, 1)] + u[i, min(j + 1, n)] - 4 * u[i, j]);
      der(v[i, j]) = 3.4 * u[i, j] - u[i, j]^2 * v[i, j] + d * (v[max(i - 1, 1), j] + v[min(i + 1, n), j]
        + v[i, max(j - 1, 1)] + v[i, min(j + 1, n)] - 4 * v[i, j]);
    end for;
  end for;
  annotation(experiment(StopTime = 6, Tolerance = 1e-6, Interval = 0.1));
end brusselator;
