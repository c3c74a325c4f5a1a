// A net of n x n knots in space, tied to its neighbours by rods that neither stretch nor bend, hung up at its upper edge
// and pulled apart at its sides. It hangs in a plane and is struck across it. Index 3, mechanical: 3 n^2 coordinates and
// 2 n^2 - n rods; any size. The same as testset/rod_net.cpp.

model rod_net "Net of inextensible rods"
  parameter Integer n(min = 2) = 4 "knots along a side";
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real pull(unit = "N") = 5 "force at the sides";
  parameter Real drag(unit = "1/s") = 0.5 "resistance of the air, by mass";
  parameter Real l(unit = "m") = 1 / n "length of a rod";
  parameter Real m(unit = "kg") = l^2 "mass of a knot";
  Real x[n, n](each unit = "m", start = {{(i - 0.5) * l for j in 1:n} for i in 1:n}) "of column i and row j";
  Real y[n, n](each unit = "m", start = {{-j * l for j in 1:n} for i in 1:n}), z[n, n](each unit = "m", each start = 0);
  Real u[n, n](each unit = "m/s", each start = 0), v[n, n](each unit = "m/s", each start = 0);
  Real w[n, n](each unit = "m/s", start = {{j * l * (2 - j * l) * (1 - 0.5 * ((i - 0.5) * l)^2) for j in 1:n} for i in 1:n});
  Real up[n, n] "forces in the rods upwards, divided by their lengths";
  Real right[n - 1, n] "and in those to the right";
equation
  for i in 1:n loop
    for j in 1:n loop
      der(x[i, j]) = u[i, j];
      der(y[i, j]) = v[i, j];
      der(z[i, j]) = w[i, j];
      m * der(u[i, j]) = (if i == n then pull * l else 0) - (if i == 1 then pull * l else 0) - drag * m * u[i, j]
        - up[i, j] * (x[i, j] - (if j > 1 then x[i, max(j - 1, 1)] else (i - 0.5) * l))
        + (if j < n then up[i, min(j + 1, n)] * (x[i, min(j + 1, n)] - x[i, j]) else 0)
        - (if i < n then right[min(i, n - 1), j] * (x[i, j] - x[min(i + 1, n), j]) else 0)
        + (if i > 1 then right[max(i - 1, 1), j] * (x[max(i - 1, 1), j] - x[i, j]) else 0);
      m * der(v[i, j]) = -m * g - drag * m * v[i, j]
        - up[i, j] * (y[i, j] - (if j > 1 then y[i, max(j - 1, 1)] else 0))
        + (if j < n then up[i, min(j + 1, n)] * (y[i, min(j + 1, n)] - y[i, j]) else 0)
        - (if i < n then right[min(i, n - 1), j] * (y[i, j] - y[min(i + 1, n), j]) else 0)
        + (if i > 1 then right[max(i - 1, 1), j] * (y[max(i - 1, 1), j] - y[i, j]) else 0);
      m * der(w[i, j]) = -drag * m * w[i, j]
        - up[i, j] * (z[i, j] - (if j > 1 then z[i, max(j - 1, 1)] else 0))
        + (if j < n then up[i, min(j + 1, n)] * (z[i, min(j + 1, n)] - z[i, j]) else 0)
        - (if i < n then right[min(i, n - 1), j] * (z[i, j] - z[min(i + 1, n), j]) else 0)
        + (if i > 1 then right[max(i - 1, 1), j] * (z[max(i - 1, 1), j] - z[i, j]) else 0);
      ((x[i, j] - (if j > 1 then x[i, max(j - 1, 1)] else (i - 0.5) * l))^2
        + (y[i, j] - (if j > 1 then y[i, max(j - 1, 1)] else 0))^2
        + (z[i, j] - (if j > 1 then z[i, max(j - 1, 1)] else 0))^2 - l^2) / 2 = 0;
    end for;
  end for;
  for i in 1:n - 1 loop
    for j in 1:n loop
      ((x[i, j] - x[i + 1, j])^2 + (y[i, j] - y[i + 1, j])^2 + (z[i, j] - z[i + 1, j])^2 - l^2) / 2 = 0;
    end for;
  end for;
  annotation(experiment(StopTime = 0.5, Tolerance = 1e-6, Interval = 0.05));
end rod_net;
