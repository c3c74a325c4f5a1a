// A chain of n links between two hooks: at rest its potential energy is as small as its links allow. The multipliers are
// forces: 2 * multiplier * length is the tension of a link.
//
//   driftless analyse minimise examples/models/minimise/hanging_chain.mo --objective energy
//   driftless analyse minimise examples/models/minimise/hanging_chain.mo --objective energy --set n=20

model hanging_chain "Chain at rest"
  parameter Integer n = 8 "links";
  parameter Real width(unit = "m") = 1 "between the hooks";
  parameter Real length(unit = "m") = 1.5 / n "of one link";
  parameter Real weight(unit = "N") = 1 / n "of one joint";
  Real x[n + 1](start = {width * i / n for i in 0:n}, each unit = "m");
  Real y[n + 1](start = {-4 * width * i * (n - i) / n^2 for i in 0:n}, each unit = "m");
  Real energy(unit = "J");
equation
  energy = weight * sum(y);
  x[1] = 0;
  y[1] = 0;
  x[n + 1] = width;
  y[n + 1] = 0;
  for i in 1:n loop
    (x[i + 1] - x[i])^2 + (y[i + 1] - y[i])^2 = length^2;
  end for;
end hanging_chain;
