// A chain of n links, total length and mass 1, dropped from horizontal rest. Index 3, for any n:
//
//   driftless solve chain_pendulum.mo --set n=20 --output chain.csv

model chain_pendulum "Chain pendulum"
  parameter Integer n(min = 1) = 5 "number of links";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real l(unit = "m") = 1 / n "length of a link";
  parameter Real m(unit = "kg") = 1 / n "mass of a node";
  Real x[n](each unit = "m", start = {k / n for k in 1:n}) "positions of the nodes";
  Real y[n](each unit = "m", each start = 0, each fixed = true);
  Real vx[n](each unit = "m/s", each start = 0);
  Real vy[n](each unit = "m/s", each start = 0, each fixed = true);
  Real lambda[n](each unit = "N/m") "forces in the links, per length";
  Real ex[n](each unit = "m"), ey[n](each unit = "m") "the links as vectors";
equation
  ex[1] = x[1];
  ey[1] = y[1];
  for k in 2:n loop
    ex[k] = x[k] - x[k - 1];
    ey[k] = y[k] - y[k - 1];
  end for;
  for k in 1:n loop
    der(x[k]) = vx[k];
    der(y[k]) = vy[k];
    (ex[k]^2 + ey[k]^2 - l^2) / 2 = 0;
  end for;
  for k in 1:n - 1 loop
    m * der(vx[k]) = ex[k + 1] * lambda[k + 1] - ex[k] * lambda[k];
    m * der(vy[k]) = ey[k + 1] * lambda[k + 1] - ey[k] * lambda[k] - m * g;
  end for;
  m * der(vx[n]) = -ex[n] * lambda[n];
  m * der(vy[n]) = -ey[n] * lambda[n] - m * g;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01),
    __driftless(points = [0, 0; x, y], links = {{k, k + 1} for k in 1:n}, ground = {1}, traces = {n + 1}));
end chain_pendulum;
