// A charge pump: one MOS transistor with two capacitors, driven by a pulse (Guenther, Denk and Feldmann).
// CWI/Bari test set for initial value problems. Index 2: charges are functions of voltages, and one voltage is given.

function transistor_charges "charges of gate, source and drain, in units of the oxide capacitance"
  input Real vgb(unit = "V"), vgs(unit = "V"), vgd(unit = "V");
  output Real q[3](each unit = "V");
protected
  constant Real vt0 = 0.2, gamma = 0.035, phi = 1.01;
  constant Real flat_band = vt0 - gamma * sqrt(phi) - phi;
  Real ugs, ugd, bulk, threshold, a, b, k;
algorithm
  q := zeros(3);
  if vgb <= flat_band then
    q[1] := vgb - flat_band;
  else
    ugs := max(vgs, vgd);
    ugd := min(vgs, vgd);
    bulk := sqrt(phi - (ugs - vgb));
    threshold := vt0 + gamma * (bulk - sqrt(phi));
    if ugs <= threshold then
      q[1] := gamma * (sqrt(0.25 * gamma^2 + vgb - flat_band) - 0.5 * gamma);
    else
      a := ugs - threshold;
      b := max(ugd - threshold, 0);
      k := a + b - a * b / (a + b);
      q := {2 / 3 * k + gamma * bulk, -k / 3, -k / 3};
    end if;
  end if;
end transistor_charges;

model charge_pump "Charge pump"
  parameter Real vhigh(unit = "V") = 20 "height of the pulse";
  parameter Real cox(unit = "F") = 4e-12, caps(unit = "F") = 1.6e-12, capd(unit = "F") = 0.4e-12;
  constant Real period = 120 "all times in nanoseconds: low until 50, rising until 60, high until 110, falling";
  Real y1(unit = "C", start = 1.2628e-13) "charge of the gate";
  Real y2(unit = "C"), y3(unit = "C") "of the source: capacitor and transistor";
  Real y4(unit = "C"), y5(unit = "C") "of the drain: capacitor and transistor";
  Real y6(unit = "V"), y7(unit = "V"), y8(unit = "V") "voltages of gate, source and drain";
  Real y9(unit = "A") "current of the source of the pulse";
  Real tau "time within a period";
  Real input_voltage(unit = "V");
  Real q[3](each unit = "V");
equation
  tau = 1e9 * time - period * floor(1e9 * time / period);
  input_voltage = if tau < 50 then 0 else if tau < 60 then (tau - 50) * vhigh / 10 else if tau < 110 then vhigh
    else (120 - tau) * vhigh / 10;
  q = transistor_charges(y6, y6 - y7, y6 - y8);
  der(y1) = -y9;
  der(y2) + der(y3) = 0 "no current at the source";
  der(y4) + der(y5) = 0 "nor at the drain";
  y6 = input_voltage;
  y1 = cox * q[1];
  y2 = caps * y7;
  y3 = cox * q[2];
  y4 = capd * y8;
  y5 = cox * q[3];
initial equation
  y2 + y3 = 0;
  y4 + y5 = 0;
  annotation(experiment(StopTime = 55e-9, Tolerance = 1e-6, Interval = 1e-9));
end charge_pump;
