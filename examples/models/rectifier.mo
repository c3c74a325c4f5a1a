// A rectifier: source, resistor, diode and a smoothing capacitor with its load. The voltage of the diode follows from the
// constraint v_in - v_out = v_d + R i(v_d), so the index is 1.
//
//   driftless analyse stability rectifier.mo --along
//   driftless analyse stability rectifier.mo --box v_in=-1.2:1.2,v_out=-0.2:0.6,v_d=-1.4:1

model rectifier "Half-wave rectifier with an exponential diode"
  parameter Real R = 1 "resistor in series with the diode, in units of the load";
  parameter Real I0 = 0.2 "saturation current of the diode";
  parameter Real T = 0.1 "time constant of the source's filter";
  Real v_in(start = 0, fixed = true) "behind the filter of the source";
  Real v_out(start = 0, fixed = true) "at the smoothing capacitor";
  Real v_d(start = 0) "across the diode";
  Real i "through the diode";
equation
  i = I0 * (exp(v_d) - 1);
  T * der(v_in) = sin(6 * time) - v_in;
  der(v_out) = i - v_out;
  v_in - v_out = v_d + R * i;
  annotation(experiment(StopTime = 2, Tolerance = 1e-7, Interval = 0.01));
end rectifier;
