// Functions with dotted names and enumerations without a name, as flat dumps have them.
// expect y = 3
// expect z = 2
function Modelica.Math.Vectors.length "Return length of a vector"
  input Real[:] v;
  output Real result;
algorithm
  result := sqrt(v*v);
end Modelica.Math.Vectors.length;
class A.B.Example
  parameter enumeration(NoInit, SteadyState, InitialState, InitialOutput) b.initType = Modelica.Blocks.Types.Init.InitialState;
  parameter enumeration(NoInit, SteadyState, InitialState, InitialOutput) c.initType = b.initType;
  parameter enumeration(never, avoid, default, prefer, always) c.stateSelect = StateSelect.prefer;
  Real y(start = 0.0, stateSelect = c.stateSelect);
  Real z;
initial equation
  if c.initType == Modelica.Blocks.Types.Init.InitialState then
    y = 3.0;
  elseif b.initType == Modelica.Blocks.Types.Init.SteadyState then
    der(y) = 0.0;
  end if;
equation
  der(y) = 0.0;
  z = Modelica.Math.Vectors.length({2.0, 0.0});
end A.B.Example;
