// The can of a given volume that takes the least tin: as high as it is wide. The multiplier is the price of volume: one
// more cubic centimetre costs 2 / r square centimetres of tin.
//
//   driftless analyse minimise examples/models/minimise/tin_can.mo --objective area
//   driftless analyse minimise examples/models/minimise/tin_can.mo --objective area --set V=1000

model tin_can "Can with the least surface"
  constant Real pi = 3.14159265358979323846;
  parameter Real V(unit = "cm3") = 330 "what it shall hold";
  Real r(start = 5, unit = "cm", min = 0) "radius";
  Real h(start = 5, unit = "cm", min = 0) "height";
  Real area(unit = "cm2") "tin";
equation
  area = 2 * pi * r^2 + 2 * pi * r * h;
  pi * r^2 * h = V;
end tin_can;
