// n four-bar loops side by side: cranks turn about (i, 0), i = 0 .. n, and are coupled by rods; all rods are uniform, of
// length and mass 1. Benchmark A02 of the IFToMM library of multibody problems. Index 3; the Jacobian of the
// constraints loses ranks whenever the cranks are horizontal.

model n_four_bar "Four-bar loops"
  parameter Integer n(min = 1) = 2 "number of loops";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real x[n + 1](each unit = "m", start = {i - 1 for i in 1:n + 1}), y[n + 1](each unit = "m", each start = 1);
  Real vx[n + 1](each unit = "m/s", each start = 1), vy[n + 1](each unit = "m/s", each start = 0);
  Real crank[n + 1](each unit = "N/m"), coupler[n](each unit = "N/m") "multipliers of the rods";
  Real cx[n + 1](each unit = "m"), ex[n](each unit = "m"), ey[n](each unit = "m") "cranks and couplers as vectors";
equation
  for i in 1:n + 1 loop
    der(x[i]) = vx[i];
    der(y[i]) = vy[i];
    cx[i] = x[i] - (i - 1);
    cx[i]^2 + y[i]^2 = 1;
  end for;
  for i in 1:n loop
    ex[i] = x[i + 1] - x[i];
    ey[i] = y[i + 1] - y[i];
    ex[i]^2 + ey[i]^2 = 1;
  end for;
  // A uniform rod of mass 1 has a third of it at each end, and a sixth between; cranks have one end on the ground.
  2 / 3 * der(vx[1]) + der(vx[2]) / 6 = 2 * ex[1] * coupler[1] - 2 * cx[1] * crank[1];
  2 / 3 * der(vy[1]) + der(vy[2]) / 6 = 2 * ey[1] * coupler[1] - 2 * y[1] * crank[1] - g;
  for i in 2:n loop
    der(vx[i]) + (der(vx[i - 1]) + der(vx[i + 1])) / 6
      = 2 * ex[i] * coupler[i] - 2 * ex[i - 1] * coupler[i - 1] - 2 * cx[i] * crank[i];
    der(vy[i]) + (der(vy[i - 1]) + der(vy[i + 1])) / 6
      = 2 * ey[i] * coupler[i] - 2 * ey[i - 1] * coupler[i - 1] - 2 * y[i] * crank[i] - 1.5 * g;
  end for;
  2 / 3 * der(vx[n + 1]) + der(vx[n]) / 6 = -2 * ex[n] * coupler[n] - 2 * cx[n + 1] * crank[n + 1];
  2 / 3 * der(vy[n + 1]) + der(vy[n]) / 6 = -2 * ey[n] * coupler[n] - 2 * y[n + 1] * crank[n + 1] - g;
  annotation(experiment(StopTime = 0.3, Tolerance = 1e-6, Interval = 0.005),
    __driftless(points = [{i - 1 for i in 1:n + 1}, zeros(n + 1); x, y],
      links = cat(1, {{i, n + 1 + i} for i in 1:n + 1}, {{n + 1 + i, n + 2 + i} for i in 1:n}),
      ground = 1:n + 1, traces = {n + 2}));
end n_four_bar;
