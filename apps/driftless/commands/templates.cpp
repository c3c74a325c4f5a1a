#include "apps/driftless/commands/templates.h"

namespace driftless::cli {

namespace {

constexpr Template all[] = {
    {"mechanism", "a pendulum: positions, velocities, a constraint and its force (index 3)",
     R"(// NAME.mo: a mass on a rod, in Cartesian coordinates.
//
//   driftless check NAME.mo
//   driftless solve NAME.mo --output NAME.csv
//
// This is flat Modelica: any Modelica tool reads it. A line begins a comment with two slashes.

model NAME "a pendulum"
  // Parameters are constants that can be changed from outside: driftless solve NAME.mo --set L=2
  parameter Real L(unit = "m", min = 0) = 1 "length of the rod";
  parameter Real m(unit = "kg", min = 0) = 0.5 "mass";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";

  // Unknowns. `start` is the value at the beginning; `fixed = true` forbids changing it. The others are moved, as
  // little as possible, until all equations hold: a rough guess is enough.
  Real x(unit = "m", start = L) "position to the right";
  Real y(unit = "m", start = 0, fixed = true) "position upwards";
  Real vx(unit = "m/s", start = 0) "velocity to the right";
  Real vy(unit = "m/s", start = 0, fixed = true) "velocity upwards";
  Real F(unit = "N/m") "force in the rod, per length; no start needed";
  Real energy(unit = "J") "a result that is only computed";

equation
  // As many equations as unknowns, in any order, each in any form: left side = right side.
  der(x) = vx;
  der(y) = vy;
  m * der(vx) = -F * x;
  m * der(vy) = -F * y - m * g;
  x^2 + y^2 = L^2 "the rod";
  energy = m * (vx^2 + vy^2) / 2 + m * g * y;

  // The second one is for `driftless solve NAME.mo --report NAME.html`, which shows the pendulum in motion.
  annotation(experiment(StopTime = 10, Tolerance = 1e-6, Interval = 0.02),
    __driftless(points = [0, 0; x, y], links = [1, 2], ground = {1}, traces = {2}));
end NAME;
)"},
    {"circuit", "a rectifier: source, diode, capacitor, load (index 1)",
     R"(// NAME.mo: a half-wave rectifier.
//
//   driftless check NAME.mo
//   driftless solve NAME.mo --output NAME.csv
//
// This is flat Modelica: any Modelica tool reads it. A line begins a comment with two slashes.

model NAME "half-wave rectifier"
  // Parameters are constants that can be changed from outside: driftless solve NAME.mo --set R=1e4
  parameter Real amplitude(unit = "V") = 5 "of the source";
  parameter Real frequency(unit = "Hz") = 50 "of the source";
  parameter Real Rs(unit = "Ohm", min = 0) = 10 "resistance of the source";
  parameter Real R(unit = "Ohm", min = 0) = 1e3 "load";
  parameter Real C(unit = "F", min = 0) = 47e-6 "capacitor beside the load";
  parameter Real Is(unit = "A", min = 0) = 1e-9 "saturation current of the diode";
  parameter Real Vt(unit = "V", min = 0) = 0.04 "thermal voltage times emission coefficient";
  constant Real pi = 3.141592653589793;

  // Unknowns. Only the voltage of the capacitor has a memory; it needs a start. The others follow from it.
  Real source(unit = "V") "voltage of the source";
  Real before(unit = "V") "voltage before the diode";
  Real out(unit = "V", start = 0, fixed = true) "voltage at the load";
  Real i(unit = "A") "current through the diode";

equation
  // As many equations as unknowns, in any order, each in any form: left side = right side.
  source = amplitude * sin(2 * pi * frequency * time);
  source - before = Rs * i;
  i = Is * (exp((before - out) / Vt) - 1) "the diode";
  C * der(out) = i - out / R "Kirchhoff's law at the load";

  annotation(experiment(StopTime = 0.1, Tolerance = 1e-6, Interval = 1e-4));
end NAME;
)"},
    {"process", "a tank with inflow, overflow at a level, and an event (ordinary equations)",
     R"(// NAME.mo: a tank that is filled, and drained by a valve that opens when it is full.
//
//   driftless check NAME.mo
//   driftless solve NAME.mo --output NAME.csv
//
// This is flat Modelica: any Modelica tool reads it. A line begins a comment with two slashes.

model NAME "a tank with a valve"
  // Parameters are constants that can be changed from outside: driftless solve NAME.mo --set full=3
  parameter Real area(unit = "m2", min = 0) = 0.8 "of the tank, seen from above";
  parameter Real inflow(unit = "m3/s") = 0.02 "always the same";
  parameter Real full(unit = "m") = 2 "level at which the valve opens";
  parameter Real empty(unit = "m") = 0.5 "level at which it closes";
  parameter Real valve(unit = "m2.5/s") = 0.04 "outflow per square root of the level";

  // Unknowns. `start` is the value at the beginning.
  Real level(unit = "m", start = 1, fixed = true) "of the water";
  Real outflow(unit = "m3/s") "through the valve";
  discrete Real open(start = 0, fixed = true) "1: the valve is open; changes at events only";

equation
  // As many equations as unknowns, in any order, each in any form: left side = right side.
  area * der(level) = inflow - outflow "balance of mass";
  outflow = open * valve * sqrt(level);
  // An event: located exactly, and the integration starts again from there.
  when level > full then
    open = 1;
  elsewhen level < empty then
    open = 0;
  end when;

  annotation(experiment(StopTime = 400, Tolerance = 1e-6, Interval = 1));
end NAME;
)"},
};

}  // namespace

std::span<const Template> templates() { return all; }

std::string filled_in(const Template& one, const std::string& name) {
  std::string text = one.text;
  for (std::size_t at = text.find("NAME"); at != std::string::npos; at = text.find("NAME", at + name.size()))
    text.replace(at, 4, name);
  return text;
}

}  // namespace driftless::cli
