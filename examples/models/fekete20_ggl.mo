// The Fekete problem in the index-2 form of Gear, Gupta and Leimkuhler: position and velocity constraints, with a second
// set of multipliers mu, which are zero along the solution. CWI/Bari test set (multipliers of the opposite sign).

model fekete20_ggl "Fekete problem, 20 points on the unit sphere, stabilised to index 2"
  parameter Integer n = 20;
  parameter Real damping = 0.5;
  constant Real pi = 3.14159265358979323846;
  // Four rings of points: longitudes and latitudes at the start
  parameter Real a[n] = cat(1, {2 * pi * i / 3 + pi / 13 for i in 1:3}, {2 * pi * i / 7 + pi / 29 for i in 1:7},
    {2 * pi * i / 6 + pi / 7 for i in 1:6}, {2 * pi * (i - 1) / 4 + pi / 17 for i in 1:4});
  parameter Real b[n] = cat(1, fill(3 * pi / 8, 3), fill(pi / 8, 7), fill(-2 * pi / 15, 6), fill(-3 * pi / 10, 4));
  Real p[n, 3](start = {{cos(a[i]) * cos(b[i]), sin(a[i]) * cos(b[i]), sin(b[i])} for i in 1:n}) "positions";
  Real q[n, 3](each start = 0) "velocities";
  Real lambda[n], mu[n];
  Real w[n, n] "one over the squared distance of two points";
equation
  for i in 1:n loop
    for j in 1:i - 1 loop
      w[i, j] = 1 / ((p[i, 1] - p[j, 1])^2 + (p[i, 2] - p[j, 2])^2 + (p[i, 3] - p[j, 3])^2);
      w[j, i] = w[i, j];
    end for;
    w[i, i] = 0;
    for c in 1:3 loop
      der(p[i, c]) = q[i, c] - 2 * p[i, c] * mu[i];
      der(q[i, c]) = sum(w[i, j] * (p[i, c] - p[j, c]) for j in 1:n) - damping * q[i, c] - 2 * p[i, c] * lambda[i];
    end for;
    p[i, 1]^2 + p[i, 2]^2 + p[i, 3]^2 = 1;
    2 * (p[i, 1] * q[i, 1] + p[i, 2] * q[i, 2] + p[i, 3] * q[i, 3]) = 0;
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.1),
    __driftless(points = p));
end fekete20_ggl;
