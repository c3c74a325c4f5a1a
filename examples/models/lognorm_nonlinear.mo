// A nonlinear index-1 problem whose logarithmic Lipschitz constants are known. A second solution to compare with:
//
//   driftless solve lognorm_nonlinear.mo --set y1=-1 --set y2=0.5

model lognorm_nonlinear "Nonlinear index-1 problem with known logarithmic Lipschitz constants"
  Real y1(start = 1, fixed = true), y2(start = 2, fixed = true);
  Real z1(start = 0), z2(start = 0);
equation
  der(y1) = -3 * y1 + sin(y1) + 0.6 * sin(z1) + 0.8 * sin(z2);
  der(y2) = -3 * y2 + sin(y2) - 0.8 * sin(z1) + 0.6 * sin(z2);
  0 = -2 * z1 - z1^3 + 0.3 * atan(y1) + 0.4 * atan(y2);
  0 = -2 * z2 - z2^3 - 0.4 * atan(y1) + 0.3 * atan(y2);
  annotation(experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.01));
end lognorm_nonlinear;
