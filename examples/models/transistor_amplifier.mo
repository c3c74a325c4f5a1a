// A transistor amplifier of two stages, as equations of the currents at its eight nodes.
// CWI/Bari test set for initial value problems. Index 1: capacitors couple nodes without determining all of them.

model transistor_amplifier "Transistor amplifier"
  constant Real pi = 3.14159265358979323846;
  parameter Real Ub(unit = "V") = 6 "supply";
  parameter Real UF(unit = "V") = 0.026 "thermal voltage";
  parameter Real alpha = 0.99 "current gain of the transistors";
  parameter Real beta(unit = "A") = 1e-6 "saturation current";
  parameter Real R0(unit = "Ohm") = 1000 "of the source";
  parameter Real R(unit = "Ohm") = 9000 "all others";
  parameter Real C1(unit = "F") = 1e-6, C2(unit = "F") = 2e-6, C3(unit = "F") = 3e-6, C4(unit = "F") = 4e-6;
  parameter Real C5(unit = "F") = 5e-6;
  Real y1(unit = "V", start = 0), y2(unit = "V", start = 3), y3(unit = "V", start = 3), y4(unit = "V", start = 6);
  Real y5(unit = "V", start = 3), y6(unit = "V", start = 3), y7(unit = "V", start = 6);
  Real y8(unit = "V", start = 0) "the output";
  Real Ue(unit = "V") "the input";
  Real i1(unit = "A"), i2(unit = "A") "through the emitters";
equation
  Ue = 0.1 * sin(200 * pi * time);
  i1 = beta * (exp((y2 - y3) / UF) - 1);
  i2 = beta * (exp((y5 - y6) / UF) - 1);
  -C1 * der(y1) + C1 * der(y2) = (y1 - Ue) / R0;
  C1 * der(y1) - C1 * der(y2) = y2 / R + (y2 - Ub) / R + (1 - alpha) * i1;
  -C2 * der(y3) = y3 / R - i1;
  -C3 * der(y4) + C3 * der(y5) = (y4 - Ub) / R + alpha * i1;
  C3 * der(y4) - C3 * der(y5) = y5 / R + (y5 - Ub) / R + (1 - alpha) * i2;
  -C4 * der(y6) = y6 / R - i2;
  -C5 * der(y7) + C5 * der(y8) = (y7 - Ub) / R + alpha * i2;
  C5 * der(y7) - C5 * der(y8) = y8 / R;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-6, Interval = 2e-4));
end transistor_amplifier;
