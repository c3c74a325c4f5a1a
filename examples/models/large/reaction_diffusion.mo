// A species u that diffuses and grows on n cells of [0, 1], and a species w that is in equilibrium with it in each cell:
// u_t = u_xx + u (1 - u) - 0.1 w, 0 = w + w^3 - u / (0.2 + u), no flux through the ends. Index 1, stiff, any size.

model reaction_diffusion "Reaction and diffusion with an algebraic species"
  parameter Integer n(min = 3) = 50 "number of cells";
  constant Real pi = 3.14159265358979323846;
  parameter Real dx = 1 / n "width of a cell";
  Real u[n](start = {0.5 + 0.4 * cos(pi * (i - 0.5) / n) for i in 1:n}, each fixed = true);
  Real w[n](each start = 0.5);
equation
  der(u[1]) = (u[2] - u[1]) / dx^2 + u[1] * (1 - u[1]) - 0.1 * w[1];
  for i in 2:n - 1 loop
    der(u[i]) = (u[i - 1] - 2 * u[i] + u[i + 1]) / dx^2 + u[i] * (1 - u[i]) - 0.1 * w[i];
  end for;
  der(u[n]) = (u[n - 1] - u[n]) / dx^2 + u[n] * (1 - u[n]) - 0.1 * w[n];
  for i in 1:n loop
    0 = w[i] + w[i]^3 - u[i] / (0.2 + u[i]);
  end for;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01));
end reaction_diffusion;
