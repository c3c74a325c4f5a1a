// The largest box that fits into an ellipsoid: half edges (a, b, c) / sqrt(3), volume 8 a b c / sqrt(27).
//
//   driftless analyse minimise examples/models/minimise/box_in_ellipsoid.mo --objective volume --maximise

model box_in_ellipsoid "Largest box in an ellipsoid"
  parameter Real a = 1, b = 2, c = 3 "half axes";
  Real x(start = 0.5), y(start = 0.5), z(start = 0.5) "half edges";
  Real volume;
equation
  volume = 8 * x * y * z;
  x^2 / a^2 + y^2 / b^2 + z^2 / c^2 = 1;
end box_in_ellipsoid;
