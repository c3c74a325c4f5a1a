// A square of n x n nodes, each with a capacitor to ground and a diode in series with a resistor to ground, neighbours
// joined by resistors; a source drives one corner through a resistor. Index 1, an algebraic unknown at each node.

model diode_grid "Grid of resistors, capacitors and diodes"
  parameter Integer n(min = 2) = 5 "nodes along a side";
  parameter Real R(unit = "Ohm") = 1, C(unit = "F") = 1;
  parameter Real i0(unit = "A") = 0.001 "saturation current", vt(unit = "V") = 0.1 "thermal voltage";
  Real v[n, n](each unit = "V", each start = 0, each fixed = true) "voltages of the nodes";
  Real d[n, n](each unit = "V", each start = 0) "voltages of the diodes";
equation
  for i in 1:n loop
    for j in 1:n loop
      C * der(v[i, j]) = ((if i > 1 then v[max(i - 1, 1), j] - v[i, j] else 0)
        + (if j > 1 then v[i, max(j - 1, 1)] - v[i, j] else 0)
        + (if j < n then v[i, min(j + 1, n)] - v[i, j] else 0)
        + (if i < n then v[min(i + 1, n), j] - v[i, j] else 0)
        + (if i == 1 and j == 1 then 5 * sin(time) - v[i, j] else 0) - (v[i, j] - d[i, j])) / R;
      v[i, j] - d[i, j] = R * i0 * (exp(d[i, j] / vt) - 1);
    end for;
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.1));
end diode_grid;
