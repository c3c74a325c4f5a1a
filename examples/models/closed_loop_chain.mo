// A regular polygon of n links that hangs from one corner, dropped at rest. Index 3, with a closed loop, for any n.

model closed_loop_chain "Closed chain of links hanging from one node"
  parameter Integer n(min = 3) = 6 "number of links";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  constant Real pi = 3.14159265358979323846;
  parameter Real l(unit = "m") = sin(pi / n) "length of a link";
  parameter Real m(unit = "kg") = 1 / (n - 1) "mass of a node";
  Real x[n - 1](each unit = "m", start = {0.5 - 0.5 * cos(2 * pi * k / n) for k in 1:n - 1});
  Real y[n - 1](each unit = "m", start = {0.5 * sin(2 * pi * k / n) for k in 1:n - 1});
  Real vx[n - 1](each unit = "m/s", each start = 0), vy[n - 1](each unit = "m/s", each start = 0);
  Real lambda[n](each unit = "N/m") "forces in the links, per length";
  Real ex[n](each unit = "m"), ey[n](each unit = "m") "the links as vectors";
equation
  ex[1] = x[1];
  ey[1] = y[1];
  for k in 2:n - 1 loop
    ex[k] = x[k] - x[k - 1];
    ey[k] = y[k] - y[k - 1];
  end for;
  ex[n] = -x[n - 1];
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
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01),
    __driftless(points = [0, 0; x, y], links = {{k, mod(k, n) + 1} for k in 1:n}, ground = {1}));
end closed_loop_chain;
