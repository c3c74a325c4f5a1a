// A NAND gate of three MOS transistors (Shichman and Hodges), as currents at fourteen nodes. CWI/Bari test set for
// initial value problems, times in nanoseconds, currents in amperes per thousand, capacitances in nanofarads per
// thousand. An implicit ordinary differential equation: capacitances depend on voltages.

function channel "current of a channel, for a positive voltage"
  input Real v, gate, bulk, threshold, body, phi, beta;
  output Real i;
protected
  Real drive, gain;
algorithm
  drive := gate - (threshold + body * (sqrt(phi - bulk) - sqrt(phi)));
  gain := beta * (1 + 0.02 * v);
  if drive <= 0 then
    i := 0;
  elseif drive <= v then
    i := gain * drive^2;
  else
    i := gain * v * (2 * drive - v);
  end if;
end channel;

function depletion "current of the depletion transistor, negative for positive voltage"
  input Real vds, vgs, vbs, vgd, vbd;
  output Real i;
algorithm
  if vds > 0 then
    i := -channel(vds, vgs, vbs, -2.43, 0.2, 1.28, 5.35e-4);
  elseif vds < 0 then
    i := channel(-vds, vgd, vbd, -2.43, 0.2, 1.28, 5.35e-4);
  else
    i := 0;
  end if;
end depletion;

function enhancement "current of an enhancement transistor; the source has a tenth of the gain for negative voltage"
  input Real vds, vgs, vbs, vgd, vbd;
  output Real i;
algorithm
  if vds > 0 then
    i := -channel(vds, vgs, vbs, 0.2, 0.035, 1.01, 1.748e-3);
  elseif vds < 0 then
    i := channel(-vds, vgd, vbd, 0.2, 0.035, 1.01, 1.748e-4);
  else
    i := 0;
  end if;
end enhancement;

function junction "current of a pn junction"
  input Real v;
  output Real i;
algorithm
  if v <= 0 then
    i := -1e-14 * (exp(v / 25.85) - 1);
  else
    i := 0;
  end if;
end junction;

function capacitance "of a pn junction"
  input Real v;
  output Real c;
algorithm
  if v <= 0 then
    c := 2.4e-5 / sqrt(1 - v / 0.87);
  else
    c := 2.4e-5 * (1 + v / (2 * 0.87));
  end if;
end capacitance;

model nand_gate "NAND gate"
  parameter Real RGS = 4, RGD = 4, RBS = 10, RBD = 10 "resistances";
  parameter Real CGS = 0.6e-4, CGD = 0.6e-4, C9 = 0.5e-4 "capacitances";
  parameter Real VDD(unit = "V") = 5, VBB(unit = "V") = -2.5;
  Real y1(unit = "V", start = 5), y2(unit = "V", start = 5), y3(unit = "V", start = -2.5), y4(unit = "V", start = -2.5);
  Real y5(unit = "V", start = 5) "the output";
  Real y6(unit = "V", start = 3.62385), y7(unit = "V", start = 5), y8(unit = "V", start = -2.5);
  Real y9(unit = "V", start = -2.5), y10(unit = "V", start = 3.62385), y11(unit = "V", start = 0);
  Real y12(unit = "V", start = 3.62385), y13(unit = "V", start = -2.5), y14(unit = "V", start = -2.5);
  Real tau1, tau2 "times within the periods of the two inputs, 20 and 40";
  Real V1(unit = "V"), V2(unit = "V") "the inputs";
  Real i1, i2, i3 "currents of the transistors";
  Real j3, j4, j8, j9, j13, j14 "currents of the junctions";
  Real c3, c4, c8, c9, c13, c14 "their capacitances";
equation
  tau1 = time - 20 * floor(time / 20);
  tau2 = time - 40 * floor(time / 40);
  V1 = if tau1 < 5 then 0 else if tau1 < 10 then tau1 - 5 else if tau1 < 15 then 5 else 20 - tau1;
  V2 = if tau2 < 15 then 0 else if tau2 < 20 then tau2 - 15 else if tau2 < 35 then 5 else 40 - tau2;
  i1 = depletion(y2 - y1, y5 - y1, y3 - y5, y5 - y2, y4 - VDD);
  i2 = enhancement(y7 - y6, V1 - y6, y8 - y10, V1 - y7, y9 - y5);
  i3 = enhancement(y12 - y11, V2 - y11, y13, V2 - y12, y14 - y10);
  j3 = junction(y3 - y5);
  j4 = junction(y4 - VDD);
  j8 = junction(y8 - y10);
  j9 = junction(y9 - y5);
  j13 = junction(y13);
  j14 = junction(y14 - y10);
  c3 = capacitance(y3 - y5);
  c4 = capacitance(y4 - VDD);
  c8 = capacitance(y8 - y10);
  c9 = capacitance(y9 - y5);
  c13 = capacitance(y13);
  c14 = capacitance(y14 - y10);
  CGS * (der(y1) - der(y5)) = -(y1 - y5) / RGS - i1;
  CGD * (der(y2) - der(y5)) = -(y2 - VDD) / RGD + i1;
  c3 * (der(y3) - der(y5)) = -(y3 - VBB) / RBS + j3;
  c4 * der(y4) = -(y4 - VBB) / RBD + j4;
  CGS * (der(y5) - der(y1)) + CGD * (der(y5) - der(y2)) + c3 * (der(y5) - der(y3)) + c9 * (der(y5) - der(y9)) + C9 * der(y5)
    = -(y5 - y1) / RGS - j3 - (y5 - y7) / RGD - j9;
  CGS * (der(y6) - der(V1)) = -(y6 - y10) / RGS - i2;
  CGD * (der(y7) - der(V1)) = -(y7 - y5) / RGD + i2;
  c8 * (der(y8) - der(y10)) = -(y8 - VBB) / RBS + j8;
  c9 * (der(y9) - der(y5)) = -(y9 - VBB) / RBD + j9;
  c8 * (der(y10) - der(y8)) + c14 * (der(y10) - der(y14)) + C9 * der(y10)
    = -(y10 - y6) / RGS - j8 - (y10 - y12) / RGD - j14;
  CGS * (der(y11) - der(V2)) = -y11 / RGS - i3;
  CGD * (der(y12) - der(V2)) = -(y12 - y10) / RGD + i3;
  c13 * der(y13) = -(y13 - VBB) / RBS + j13;
  c14 * (der(y14) - der(y10)) = -(y14 - VBB) / RBD + j14;
  annotation(experiment(StopTime = 80, Tolerance = 1e-6, Interval = 0.1));
end nand_gate;
