// n masses on a string of massless rods, hung up at the origin and let go from the horizontal. Index 3, mechanical, as
// many constraints as masses; any size.

model rod_chain "Chain of pendulums in Cartesian coordinates"
  parameter Integer n(min = 2) = 10 "number of masses";
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real l(unit = "m") = 1 / n "length of a rod";
  parameter Real m(unit = "kg") = 1 / n "mass at its end";
  Real x[n](each unit = "m", start = {i / n for i in 1:n}), y[n](each unit = "m", each start = 0);
  Real vx[n](each unit = "m/s", each start = 0), vy[n](each unit = "m/s", each start = 0);
  Real lambda[n] "forces in the rods, divided by their lengths";
equation
  for i in 1:n loop
    der(x[i]) = vx[i];
    der(y[i]) = vy[i];
    m * der(vx[i]) = -lambda[i] * (x[i] - (if i > 1 then x[max(i - 1, 1)] else 0))
      + (if i < n then lambda[min(i + 1, n)] * (x[min(i + 1, n)] - x[i]) else 0);
    m * der(vy[i]) = -lambda[i] * (y[i] - (if i > 1 then y[max(i - 1, 1)] else 0))
      + (if i < n then lambda[min(i + 1, n)] * (y[min(i + 1, n)] - y[i]) else 0) - m * g;
    (x[i] - (if i > 1 then x[max(i - 1, 1)] else 0))^2 + (y[i] - (if i > 1 then y[max(i - 1, 1)] else 0))^2 = l^2;
  end for;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01));
end rod_chain;
