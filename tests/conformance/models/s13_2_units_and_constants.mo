// expect a = 9.80665
// expect T = 273.15
// expect R = 8.31446261815324
// expect x = 2
model M
  import SI = Modelica.Units.SI;
  SI.Acceleration a = Modelica.Constants.g_n;
  Modelica.SIunits.Temperature T = -Modelica.Constants.T_zero;
  Real R = Modelica.Constants.R;
  parameter SI.Length L = 2;
  SI.Length x = L;
end M;
