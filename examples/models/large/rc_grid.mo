// A square of n x n nodes, each with a capacitor to ground, neighbours joined by resistors; a source drives one corner
// through a resistor. Written as a netlist: voltage and current of every part, and a sum of currents at every node.

model rc_grid "Grid of resistors and capacitors"
  parameter Integer n(min = 2) = 8 "nodes along a side";
  parameter Real R(unit = "Ohm") = 1, C(unit = "F") = 1;
  Real v[n, n](each unit = "V", each start = 0, each fixed = true) "voltages of the nodes";
  Real ic[n, n](each unit = "A") "currents into the capacitors";
  Real vr[n, n - 1](each unit = "V"), ir[n, n - 1](each unit = "A") "resistors along the rows";
  Real vd[n - 1, n](each unit = "V"), id[n - 1, n](each unit = "A") "resistors along the columns";
  Real vs(unit = "V"), is(unit = "A") "the source";
equation
  vs = sin(time);
  R * is = vs - v[1, 1];
  for i in 1:n loop
    for j in 1:n loop
      C * der(v[i, j]) = ic[i, j];
      ic[i, j] = (if i == 1 and j == 1 then is else 0) + (if j > 1 then ir[i, max(j - 1, 1)] else 0)
        - (if j < n then ir[i, min(j, n - 1)] else 0) + (if i > 1 then id[max(i - 1, 1), j] else 0)
        - (if i < n then id[min(i, n - 1), j] else 0) "the sum of the currents";
    end for;
  end for;
  for i in 1:n loop
    for j in 1:n - 1 loop
      vr[i, j] = v[i, j] - v[i, j + 1];
      R * ir[i, j] = vr[i, j];
      vd[j, i] = v[j, i] - v[j + 1, i];
      R * id[j, i] = vd[j, i];
    end for;
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.1));
end rc_grid;
