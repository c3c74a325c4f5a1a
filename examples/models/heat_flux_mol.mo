// Nonlinear heat conduction on n cells, with the flux between two cells as an algebraic unknown. Index 1, stiff.

model heat_flux_mol "Nonlinear heat conduction in flux form"
  parameter Integer n(min = 2) = 10 "number of cells";
  parameter Real dx(unit = "m") = 1 / n "width of a cell";
  constant Real pi = 3.14159265358979323846;
  Real theta[n](start = {1 + cos(pi * (i - 0.5) / n) for i in 1:n}, each fixed = true) "temperatures";
  Real q[n - 1](each start = 0.5) "fluxes between the cells";
equation
  der(theta[1]) = -q[1] / dx;
  for i in 2:n - 1 loop
    der(theta[i]) = -(q[i] - q[i - 1]) / dx;
  end for;
  der(theta[n]) = q[n - 1] / dx;
  for j in 1:n - 1 loop
    q[j] + q[j]^3 = -(theta[j + 1] - theta[j]) / dx "the flux law";
  end for;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-6, Interval = 0.001));
end heat_flux_mol;
