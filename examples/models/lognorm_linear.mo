// A linear index-1 problem whose logarithmic norms are known; solutions approach each other at least like exp(-17/6 t).

model lognorm_linear "Linear index-1 problem with known logarithmic norms"
  Real y1(start = 1, fixed = true), y2(start = -1, fixed = true);
  Real z1, z2;
equation
  der(y1) = -3 * y1 + y2 + 0.6 * z1 + 0.8 * z2;
  der(y2) = -y1 - 3 * y2 - 0.8 * z1 + 0.6 * z2;
  0 = 0.5 * y1 - 4 * z1 + z2;
  0 = 0.5 * y2 + z1 - 4 * z2;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01));
end lognorm_linear;
