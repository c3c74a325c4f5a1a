// n CMOS inverters in a row, driven by a slow source. The gates of each inverter are a capacitor that is tied to the
// output before it by an ideal element, vg + 0.01 vg^3 = v, whose current charges it: index 2, with one multiplier and
// two capacitors for each inverter. Each transistor is off, saturated or linear: four relations for each inverter.

model cmos_chain "Chain of CMOS inverters"
  parameter Integer n(min = 2) = 5 "number of inverters";
  parameter Real vdd(unit = "V") = 5, threshold(unit = "V") = 1, beta = 1;
  parameter Real C = 0.1 "capacitor at each output", Cg = 0.05 "at each gate";
  Real v[n](each unit = "V", start = {if mod(k, 2) == 1 then 5 else 0 for k in 1:n}) "outputs";
  Real vg[n](each unit = "V") "gates";
  Real i[n] "currents into the gates";
  Real ip[n], iq[n] "currents of the upper and of the lower transistor";
  Real dp[n], dq[n] "how far each transistor is open";
  Real vin(unit = "V", start = 0, fixed = true) "input, charged slowly";
equation
  der(vin) = (5 - vin) - i[1];
  for k in 1:n loop
    vg[k] + 0.01 * vg[k]^3 = if k > 1 then v[max(k - 1, 1)] else vin;
    dp[k] = vdd - vg[k] - threshold;
    dq[k] = vg[k] - threshold;
    ip[k] = if dp[k] <= 0 then 0 elseif vdd - v[k] >= dp[k] then 0.5 * beta * dp[k]^2
      else beta * (dp[k] - 0.5 * (vdd - v[k])) * (vdd - v[k]);
    iq[k] = if dq[k] <= 0 then 0 elseif v[k] >= dq[k] then 0.5 * beta * dq[k]^2
      else beta * (dq[k] - 0.5 * v[k]) * v[k];
    Cg * der(vg[k]) = i[k];
    C * der(v[k]) = ip[k] - iq[k] - (if k < n then i[min(k + 1, n)] else 0);
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-4, Interval = 0.1));
end cmos_chain;
