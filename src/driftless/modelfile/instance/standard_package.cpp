#include "driftless/modelfile/instance/standard_package.h"

#include <utility>

#include "driftless/modelfile/text/parse.h"

namespace driftless {

namespace {

// Constants are those of version 4.0.0 of the library (CODATA 2018); eps is that of binary64. Functions of Math without
// a body are the ones that are built in.
constexpr std::string_view text = R"mo(package Modelica
package Constants
  constant Real e = 2.7182818284590452354, pi = 3.14159265358979323846, D2R = pi/180;
  constant Real R2D = 180/pi, gamma = 0.57721566490153286061;
  constant Real eps = 2.220446049250313e-16, small = 1e-60, inf = 1e60;
  constant Integer Integer_inf = 2147483647;
  constant Real c(unit = "m/s") = 299792458, g_n(unit = "m/s2") = 9.80665, G(unit = "m3/(kg.s2)") = 6.67430e-11;
  constant Real h(unit = "J.s") = 6.62607015e-34, k(unit = "J/K") = 1.380649e-23, N_A(unit = "1/mol") = 6.02214076e23;
  constant Real q(unit = "C") = 1.602176634e-19, F(unit = "C/mol") = q*N_A, R(unit = "J/(mol.K)") = k*N_A;
  constant Real sigma(unit = "W/(m2.K4)") = 2*pi^5*k^4/(15*h^3*c^2), T_zero(unit = "degC") = -273.15;
  constant Real mu_0(unit = "N/A2") = 4*pi*1.00000000055e-7, epsilon_0(unit = "F/m") = 1/(mu_0*c*c);
end Constants;
package Math
  function sin input Real u; output Real y; end sin;
  function cos input Real u; output Real y; end cos;
  function tan input Real u; output Real y; end tan;
  function asin input Real u; output Real y; end asin;
  function acos input Real u; output Real y; end acos;
  function atan input Real u; output Real y; end atan;
  function atan2 input Real u1; input Real u2; output Real y; end atan2;
  function sinh input Real u; output Real y; end sinh;
  function cosh input Real u; output Real y; end cosh;
  function tanh input Real u; output Real y; end tanh;
  function exp input Real u; output Real y; end exp;
  function log input Real u; output Real y; end log;
  function log10 input Real u; output Real y; end log10;
end Math;
package Units
package SI
  type Angle = Real(unit = "rad");
  type SolidAngle = Real(unit = "sr");
  type Length = Real(unit = "m");
  type Position = Real(unit = "m");
  type Distance = Real(unit = "m");
  type Breadth = Real(unit = "m");
  type Height = Real(unit = "m");
  type Thickness = Real(unit = "m");
  type Radius = Real(unit = "m");
  type Diameter = Real(unit = "m");
  type Area = Real(unit = "m2");
  type Volume = Real(unit = "m3");
  type Time = Real(unit = "s");
  type Duration = Real(unit = "s");
  type AngularVelocity = Real(unit = "rad/s");
  type AngularAcceleration = Real(unit = "rad/s2");
  type Velocity = Real(unit = "m/s");
  type Speed = Real(unit = "m/s");
  type Acceleration = Real(unit = "m/s2");
  type Period = Real(unit = "s");
  type Frequency = Real(unit = "Hz");
  type AngularFrequency = Real(unit = "rad/s");
  type Wavelength = Real(unit = "m");
  type Mass = Real(unit = "kg");
  type Density = Real(unit = "kg/m3");
  type SpecificVolume = Real(unit = "m3/kg");
  type Momentum = Real(unit = "kg.m/s");
  type Force = Real(unit = "N");
  type Weight = Real(unit = "N");
  type Torque = Real(unit = "N.m");
  type MomentOfForce = Real(unit = "N.m");
  type MomentOfInertia = Real(unit = "kg.m2");
  type Inertia = Real(unit = "kg.m2");
  type Pressure = Real(unit = "Pa");
  type AbsolutePressure = Real(unit = "Pa");
  type PressureDifference = Real(unit = "Pa");
  type Stress = Real(unit = "Pa");
  type DynamicViscosity = Real(unit = "Pa.s");
  type KinematicViscosity = Real(unit = "m2/s");
  type SurfaceTension = Real(unit = "N/m");
  type Work = Real(unit = "J");
  type Energy = Real(unit = "J");
  type PotentialEnergy = Real(unit = "J");
  type KineticEnergy = Real(unit = "J");
  type Power = Real(unit = "W");
  type EnergyFlowRate = Real(unit = "W");
  type MassFlowRate = Real(unit = "kg/s");
  type VolumeFlowRate = Real(unit = "m3/s");
  type MomentumFlux = Real(unit = "N");
  type Impulse = Real(unit = "N.s");
  type AngularMomentum = Real(unit = "kg.m2/s");
  type AngularImpulse = Real(unit = "N.m.s");
  type TranslationalSpringConstant = Real(unit = "N/m");
  type TranslationalDampingConstant = Real(unit = "N.s/m");
  type RotationalSpringConstant = Real(unit = "N.m/rad");
  type RotationalDampingConstant = Real(unit = "N.m.s/rad");
  type LinearTemperatureCoefficient = Real(unit = "1/K");
  type Temperature = Real(unit = "K");
  type ThermodynamicTemperature = Real(unit = "K");
  type TemperatureDifference = Real(unit = "K");
  type Temp_K = Real(unit = "K");
  type Temp_C = Real(unit = "degC");
  type Heat = Real(unit = "J");
  type HeatFlowRate = Real(unit = "W");
  type HeatFlux = Real(unit = "W/m2");
  type ThermalConductivity = Real(unit = "W/(m.K)");
  type CoefficientOfHeatTransfer = Real(unit = "W/(m2.K)");
  type ThermalResistance = Real(unit = "K/W");
  type ThermalConductance = Real(unit = "W/K");
  type HeatCapacity = Real(unit = "J/K");
  type SpecificHeatCapacity = Real(unit = "J/(kg.K)");
  type Entropy = Real(unit = "J/K");
  type SpecificEntropy = Real(unit = "J/(kg.K)");
  type Enthalpy = Real(unit = "J");
  type SpecificEnthalpy = Real(unit = "J/kg");
  type InternalEnergy = Real(unit = "J");
  type SpecificEnergy = Real(unit = "J/kg");
  type SpecificInternalEnergy = Real(unit = "J/kg");
  type EnthalpyFlowRate = Real(unit = "W");
  type ElectricCurrent = Real(unit = "A");
  type Current = Real(unit = "A");
  type ElectricCharge = Real(unit = "C");
  type Charge = Real(unit = "C");
  type ElectricPotential = Real(unit = "V");
  type Voltage = Real(unit = "V");
  type PotentialDifference = Real(unit = "V");
  type ElectromotiveForce = Real(unit = "V");
  type ElectricFieldStrength = Real(unit = "V/m");
  type Capacitance = Real(unit = "F");
  type Permittivity = Real(unit = "F/m");
  type CurrentDensity = Real(unit = "A/m2");
  type MagneticFieldStrength = Real(unit = "A/m");
  type MagneticFluxDensity = Real(unit = "T");
  type MagneticFlux = Real(unit = "Wb");
  type Inductance = Real(unit = "H");
  type SelfInductance = Real(unit = "H");
  type MutualInductance = Real(unit = "H");
  type Permeability = Real(unit = "H/m");
  type Resistance = Real(unit = "Ohm");
  type Conductance = Real(unit = "S");
  type Resistivity = Real(unit = "Ohm.m");
  type Conductivity = Real(unit = "S/m");
  type Reactance = Real(unit = "Ohm");
  type Impedance = Real(unit = "Ohm");
  type ActivePower = Real(unit = "W");
  type ApparentPower = Real(unit = "VA");
  type AmountOfSubstance = Real(unit = "mol");
  type MolarMass = Real(unit = "kg/mol");
  type MolarVolume = Real(unit = "m3/mol");
  type Concentration = Real(unit = "mol/m3");
  type MolarFlowRate = Real(unit = "mol/s");
  type MolarEnergy = Real(unit = "J/mol");
  type MolarHeatCapacity = Real(unit = "J/(mol.K)");
  type MolarEnthalpy = Real(unit = "J/mol");
  type MassFraction = Real(unit = "1");
  type MoleFraction = Real(unit = "1");
  type Efficiency = Real(unit = "1");
  type DampingCoefficient = Real(unit = "s-1");
  type CoefficientOfFriction = Real(unit = "1");
  type LuminousIntensity = Real(unit = "cd");
  type Luminance = Real(unit = "cd/m2");
end SI;
end Units;
package SIunits = Units.SI;
end Modelica;
)mo";

}  // namespace

ClassDefinition standard_package(SyntaxTree& tree, Diagnostics& diagnostics) {
  tree.sources.emplace_back("Modelica.mo", text);
  ClassDefinition own = std::move(tree.root);
  const std::vector<std::uint32_t> packages = std::exchange(tree.packages, {});
  tree.root = {};
  parse_package_text(tree, static_cast<std::uint16_t>(tree.sources.size() - 1), diagnostics);
  ClassDefinition found = std::move(tree.root);
  tree.root = std::move(own);
  tree.packages = packages;
  return found;
}

}  // namespace driftless
