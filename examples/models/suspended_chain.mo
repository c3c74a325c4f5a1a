// n links between two fixed points, let go beside their rest: chaotic motion for ever. Index 3, for any n.

model suspended_chain "Chain of links with both ends fixed"
  parameter Integer n(min = 3) = 5 "number of links";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  constant Real pi = 3.14159265358979323846;
  parameter Real l(unit = "m") = 1 / n "length of a link";
  parameter Real d(unit = "m") = 0.6 "distance of the ends";
  parameter Real m(unit = "kg") = 1 / (n - 1) "mass of a node";
  Real x[n - 1](each unit = "m", start = {d * k / n for k in 1:n - 1});
  Real y[n - 1](each unit = "m", start = {-0.35 * sin(pi * k / n) + 0.1 * sin(2 * pi * k / n) for k in 1:n - 1});
  Real vx[n - 1](each unit = "m/s", each start = 0), vy[n - 1](each unit = "m/s", each start = 0);
  Real lambda[n](each unit = "N/m") "forces in the links, per length";
  Real ex[n](each unit = "m"), ey[n](each unit = "m") "the links as vectors";
  Real energy(unit = "J") "does not change";
equation
  ex[1] = x[1];
  ey[1] = y[1];
  for k in 2:n - 1 loop
    ex[k] = x[k] - x[k - 1];
    ey[k] = y[k] - y[k - 1];
  end for;
  ex[n] = d - x[n - 1];
  ey[n] = -y[n - 1];
  for k in 1:n loop
    (ex[k]^2 + ey[k]^2 - l^2) / 2 = 0;
  end for;
  for k in 1:n - 1 loop
    der(x[k]) = vx[k];
    der(y[k]) = vy[k];
    m * der(vx[k]) = ex[k + 1] * lambda[k + 1] - ex[k] * lambda[k];
    m * der(vy[k]) = ey[k + 1] * lambda[k + 1] - ey[k] * lambda[k] - m * g;
  end for;
  energy = m * (sum(vx[k]^2 + vy[k]^2 for k in 1:n - 1) / 2 + g * sum(y));
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02),
    __driftless(points = [0, 0; x, y; d, 0], links = {{k, k + 1} for k in 1:n}, ground = {1, n + 1}));
end suspended_chain;
