// expect refused: of the Modelica Standard Library only Constants, Math and Units are known
model M
  Modelica.Electrical.Analog.Basic.Resistor r;
end M;
