// A species u that diffuses and grows on n cells of a length of 50, and a species w that is in equilibrium with it in
// each cell; no flux through the ends. Index 1, stiff, of any size: a front travels to the right.

model reaction_diffusion "Reaction and diffusion with an algebraic species"
  parameter Integer n(min = 10) = 50 "number of cells";
  parameter Real dx(unit = "m") = 50 / n "width of a cell";
  Real u[n](start = {if i <= n / 10 then 1 else 0 for i in 1:n}, each fixed = true);
  Real w[n](start = {if i <= n / 10 then 0.6 else 0 for i in 1:n});
equation
  der(u[1]) = (u[2] - u[1]) / dx^2 + u[1] * (1 - u[1]) - 0.1 * w[1];
  for i in 2:n - 1 loop
    der(u[i]) = (u[i - 1] - 2 * u[i] + u[i + 1]) / dx^2 + u[i] * (1 - u[i]) - 0.1 * w[i];
  end for;
  der(u[n]) = (u[n - 1] - u[n]) / dx^2 + u[n] * (1 - u[n]) - 0.1 * w[n];
  for i in 1:n loop
    0 = w[i] + w[i]^3 - u[i] / (0.2 + u[i]) "the equilibrium";
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.1));
end reaction_diffusion;
