// Heat conduction on n x n cells of the unit square, no flux through the edges: u_t = c (u_xx + u_yy). Cosines at the
// centres of the cells are eigenvectors, so the equations of the grid have an exact solution: each mode
// cos(k pi x) cos(l pi y) decays with the rate 4 c n^2 (sin(k pi / 2n)^2 + sin(l pi / 2n)^2).

model heat_grid "Heat conduction on a square"
  parameter Integer n(min = 2) = 6 "cells along a side";
  parameter Real c = 0.01 "conductivity";
  constant Real pi = 3.14159265358979323846;
  Real u[n, n](start = {{1 + 0.5 * cos(pi * (i - 0.5) / n) + 0.25 * cos(pi * (i - 0.5) / n) * cos(2 * pi * (j - 0.5) / n)
    + 0.125 * cos(3 * pi * (i - 0.5) / n) * cos(pi * (j - 0.5) / n) for j in 1:n} for i in 1:n}, each fixed = true);
equation
  for i in 1:n loop
    for j in 1:n loop
      der(u[i, j]) = c * n^2 * (u[max(i - 1, 1), j] + u[min(i + 1, n), j] + u[i, max(j - 1, 1)] + u[i, min(j + 1, n)]
        - 4 * u[i, j]);
    end for;
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.1));
end heat_grid;
