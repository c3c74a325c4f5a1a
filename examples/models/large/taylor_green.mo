// Decaying vortices of an incompressible fluid on a periodic staggered grid of n x n cells of the square with side 2 pi
// (Taylor and Green 1937; Harlow and Welch 1965). Index 2; pressure is fixed up to a constant, and one of the equations
// div = 0 follows from the others. The equations of the grid have the exact solution u = F sin(x) cos(y),
// v = -F cos(x) sin(y) with F = exp(-8 nu sin(h/2)^2 / h^2 time).

model taylor_green "Incompressible flow on a staggered grid"
  parameter Integer n(min = 4) = 8 "cells along a side";
  parameter Real nu = 0.05 "viscosity";
  constant Real pi = 3.14159265358979323846;
  parameter Real h = 2 * pi / n "side of a cell";
  Real u[n, n](start = {{sin(h * (i - 1)) * cos(h * (j - 0.5)) for j in 1:n} for i in 1:n}) "between cells of a row";
  Real v[n, n](start = {{-cos(h * (i - 0.5)) * sin(h * (j - 1)) for j in 1:n} for i in 1:n}) "of a column";
  Real p[n, n] "pressure in the cells";
  function next "the place after i, around the square"
    input Integer i, n;
    output Integer k = if i < n then i + 1 else 1;
  end next;
  function before "the place before i"
    input Integer i, n;
    output Integer k = if i > 1 then i - 1 else n;
  end before;
equation
  for i in 1:n loop
    for j in 1:n loop
      der(u[i, j]) = -((u[next(i, n), j] + u[i, j])^2 - (u[i, j] + u[before(i, n), j])^2
        + (u[i, next(j, n)] + u[i, j]) * (v[i, next(j, n)] + v[before(i, n), next(j, n)])
        - (u[i, j] + u[i, before(j, n)]) * (v[i, j] + v[before(i, n), j])) / (4 * h) - (p[i, j] - p[before(i, n), j]) / h
        + nu / h^2 * (u[next(i, n), j] + u[before(i, n), j] + u[i, next(j, n)] + u[i, before(j, n)] - 4 * u[i, j]);
      der(v[i, j]) = -((v[i, next(j, n)] + v[i, j])^2 - (v[i, j] + v[i, before(j, n)])^2
        + (u[next(i, n), j] + u[next(i, n), before(j, n)]) * (v[next(i, n), j] + v[i, j])
        - (u[i, j] + u[i, before(j, n)]) * (v[i, j] + v[before(i, n), j])) / (4 * h) - (p[i, j] - p[i, before(j, n)]) / h
        + nu / h^2 * (v[next(i, n), j] + v[before(i, n), j] + v[i, next(j, n)] + v[i, before(j, n)] - 4 * v[i, j]);
      (u[next(i, n), j] - u[i, j] + v[i, next(j, n)] - v[i, j]) / h = 0;
    end for;
  end for;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.1));
end taylor_green;
