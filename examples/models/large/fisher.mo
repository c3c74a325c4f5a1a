// Fisher's equation on n cells of [0, 1]: u_t = u_xx + u (1 - u), no flux through the ends. An ordinary differential
// equation, stiff, any size.

model fisher "Reaction and diffusion"
  parameter Integer n(min = 3) = 50 "number of cells";
  constant Real pi = 3.14159265358979323846;
  parameter Real dx = 1 / n "width of a cell";
  Real u[n](start = {0.5 + 0.4 * cos(pi * (i - 0.5) / n) for i in 1:n}, each fixed = true);
equation
  der(u[1]) = (u[2] - u[1]) / dx^2 + u[1] * (1 - u[1]);
  for i in 2:n - 1 loop
    der(u[i]) = (u[i - 1] - 2 * u[i] + u[i + 1]) / dx^2 + u[i] * (1 - u[i]);
  end for;
  der(u[n]) = (u[n - 1] - u[n]) / dx^2 + u[n] * (1 - u[n]);
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01));
end fisher;
