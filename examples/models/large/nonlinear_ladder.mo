// A ladder of n nonlinear resistors in series, each node with a linear one to ground, driven by a slow source: one
// large system of algebraic equations. Index 1, any size.

model nonlinear_ladder "Ladder of nonlinear resistors"
  parameter Integer n(min = 3) = 50 "number of nodes";
  Real s(start = 2, fixed = true) "voltage of the source";
  Real v[n](each start = 0) "voltages of the nodes";
  Real i[n] "currents through the nonlinear resistors";
equation
  der(s) = 1 - s;
  for k in 1:n loop
    i[k] + i[k]^3 = (if k > 1 then v[max(k - 1, 1)] else s) - v[k];
    i[k] - (if k < n then i[min(k + 1, n)] else 0) = 0.1 * v[k];
  end for;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01));
end nonlinear_ladder;
