// Models as front ends write them: components in names with dots, aliases, switches, sources with periods.
#include "compare_models.h"

namespace driftless::flatten_circuit_test {
namespace {

// Unknowns are what equations and whens determine; inputs come from outside.
void expect_balanced(const FlatModel& model) {
  std::size_t unknowns = 0;
  std::vector<bool> assigned(model.variables.size(), false);
  for (const FlatWhen& when : model.whens) {
    for (const FlatBranch& branch : when.branches) {
      for (const FlatAction& action : branch.actions) {
        if (action.kind == FlatAction::Kind::assign) assigned[action.variable] = true;
      }
    }
  }
  for (std::size_t i = 0; i < assigned.size(); ++i) unknowns += assigned[i] || model.variables[i].input ? 0 : 1;
  EXPECT_EQ(model.equations.size(), unknowns);
}

constexpr std::string_view rectifier = R"(//! base 0.1.0
package 'Rectifier'
  type 'Types.Approximation' = enumeration('sharp', 'soft');

  function 'Math.limit' "keeps a number within bounds"
    input Real 'u';
    input Real 'bound' = 1.0;
    output Real 'y';
  algorithm
    if 'u' > 'bound' then
      'y' := 'bound';
    elseif 'u' < -'bound' then
      'y' := -'bound';
    else
      'y' := 'u';
    end if;
  end 'Math.limit';

  model 'Rectifier' "half wave, with an ideal diode and a pulse"
    parameter 'Types.Approximation' 'diode.approximation' = 'Types.Approximation'.'sharp' annotation(Evaluate = true);
    parameter Real 'diode.Ron'(min = 0.0, unit = "Ohm", quantity = "Resistance") = 1e-5 "closed";
    parameter Real 'diode.Goff'(min = 0.0, unit = "S") = 1e-5 "opened";
    final parameter Boolean 'R.useHeatPort' = false "= true, if heatPort is enabled" annotation(Evaluate = true);
    parameter Real 'R.R'(start = 1.0, unit = "Ohm") = 100.0;
    parameter Real 'R.T_ref'(nominal = 300.0, start = 288.15, min = 0.0, displayUnit = "degC", unit = "K") = 300.15;
    parameter Real 'R.alpha'(unit = "1/K") = 0.0;
    parameter Real 'R.T'(unit = "K") = 'R.T_ref';
    parameter Real 'C.C'(start = 1.0, min = 0.0, unit = "F") = 1e-4;
    parameter Real 'V.amplitude' = 10.0, 'V.f'(unit = "Hz") = 50.0, 'V.startTime' = 0.0;
    parameter Real 'pulse.period'(min = 2.2250738585072014e-308, unit = "s") = 0.01;
    Boolean 'diode.off'(start = true) "switching state";
    Real 'diode.s'(start = 0.0, unit = "1") "position on the characteristic";
    Real 'diode.v', 'diode.i', 'diode.p.v', 'diode.p.i', 'diode.n.v', 'diode.n.i';
    Real 'R.v', 'R.i', 'R.p.v', 'R.p.i', 'R.n.v', 'R.n.i', 'R.R_actual'(unit = "Ohm"), 'R.T_heatPort'(start = 288.15);
    Real 'C.v'(fixed = true, start = 0.0, unit = "V"), 'C.i', 'C.p.v', 'C.p.i', 'C.n.v', 'C.n.i';
    Real 'V.v', 'V.i', 'V.p.v', 'V.p.i', 'V.n.v', 'V.n.i', 'V.y';
    Real 'ground.p.v', 'ground.p.i', 'pulse.T_start'(unit = "s"), 'pulse.y';
    Integer 'pulse.count' "periods so far";
  equation
    'V.p.v' = 'diode.p.v';
    'diode.n.v' = 'C.p.v';
    'diode.n.v' = 'R.p.v';
    'R.n.v' = 'C.n.v';
    'R.n.v' = 'V.n.v';
    'R.n.v' = 'ground.p.v';
    'V.p.i' + 'diode.p.i' = 0.0;
    'diode.n.i' + 'C.p.i' + 'R.p.i' = 0.0;
    'R.n.i' + 'C.n.i' + 'V.n.i' + 'ground.p.i' = 0.0;
    'ground.p.v' = 0.0;
    'diode.off' = 'diode.s' < 0.0;
    'diode.v' = 'diode.s' * (if 'diode.off' then 1.0 else 'diode.Ron');
    'diode.i' = 'diode.s' * (if 'diode.off' then 'diode.Goff' else 1.0);
    'diode.v' = 'diode.p.v' - 'diode.n.v';
    0.0 = 'diode.p.i' + 'diode.n.i';
    'diode.i' = 'diode.p.i';
    assert(1.0 + 'R.alpha' * ('R.T_heatPort' - 'R.T_ref') >= 2.220446049250313e-16, "Temperature outside scope of model!",
      AssertionLevel.error);
    'R.R_actual' = 'R.R' * (1.0 + 'R.alpha' * ('R.T_heatPort' - 'R.T_ref'));
    'R.v' = 'R.R_actual' * 'R.i';
    'R.T_heatPort' = 'R.T';
    'R.v' = 'R.p.v' - 'R.n.v';
    0.0 = 'R.p.i' + 'R.n.i';
    'R.i' = 'R.p.i';
    'C.i' = 'C.C' * der('C.v');
    'C.v' = 'C.p.v' - 'C.n.v';
    0.0 = 'C.p.i' + 'C.n.i';
    'C.i' = 'C.p.i';
    'V.y' = (if time < 'V.startTime' then 0.0 else 'V.amplitude' * sin(6.283185307179586 * 'V.f' * (time - 'V.startTime')));
    'V.v' = 'Math.limit'('V.y' + 'pulse.y', 20.0);
    'V.v' = 'V.p.v' - 'V.n.v';
    0.0 = 'V.p.i' + 'V.n.i';
    'V.i' = 'V.p.i';

    when time >= (pre('pulse.count') + 1) * 'pulse.period' then
      'pulse.count' = pre('pulse.count') + 1;
      'pulse.T_start' = time;
    end when;

    'pulse.y' = if time < 'pulse.T_start' + 0.001 then 1.0 elseif 'diode.approximation' == 'Types.Approximation'.'soft' then 0.5 else 0.0;
  initial algorithm
    'pulse.count' := integer(time / 'pulse.period');
    'pulse.T_start' := 'pulse.count' * 'pulse.period';
    annotation(experiment(StopTime = 0.1, Interval = 1e-4, Tolerance = 1e-6));
  end 'Rectifier';
end 'Rectifier';
)";

TEST(FlattenCircuit, RectifierIsBalanced) {
  const FlatModel model = flat(rectifier);
  EXPECT_EQ(model.variables.size(), 34u);
  EXPECT_EQ(model.parameters.size(), 13u);
  EXPECT_EQ(model.relations.size(), 4u);
  EXPECT_EQ(model.initial_assignments.size(), 2u);
  EXPECT_EQ(model.whens.size(), 1u);
  EXPECT_EQ(model.experiment.stop_time, 0.1);
  expect_balanced(model);
  // The diode: 0.7 units to the right of the corner, then 0.7 to the left of it.
  const auto residual = [&](std::size_t k, const std::map<std::string, double>& at) {
    return value(model, model.equations[k].residual, at);
  };
  EXPECT_EQ(model.equations[11].text, "'diode.v' = 'diode.s' * (if 'diode.off' then 1.0 else 'diode.Ron')");
  EXPECT_NEAR(residual(11, {{"diode.s", 0.7}}), -0.7e-5, 1e-18);
  EXPECT_NEAR(residual(11, {{"diode.s", -0.7}, {"diode.off", 1.0}}), 0.7, 1e-15);
  EXPECT_NEAR(residual(12, {{"diode.s", 0.7}}), -0.7, 1e-15);
  // The function limits.
  EXPECT_NEAR(residual(27, {{"V.y", 30.0}, {"V.v", 5.0}}), -15.0, 1e-14);
  EXPECT_NEAR(residual(27, {{"V.y", -30.0}, {"V.v", 5.0}}), 25.0, 1e-14);
  EXPECT_NEAR(residual(27, {{"V.y", 3.0}, {"V.v", 5.0}}), 2.0, 1e-14);
}

// An n-link chain, written with loops over arrays of vectors.
TEST(FlattenCircuit, ChainOfLinksIsBalanced) {
  for (const int n : {1, 2, 7}) {
    const FlatModel model = flat(R"(
model Chain
  parameter Integer n(min = 1) = 3;
  parameter Real L = 1 / n, m[n] = fill(1 / n, n), g[2] = {0, -9.81};
  Real r[n, 2](start = {{i * L, 0} for i in 1:n}), v[n, 2], lambda[n], d[n, 2];
equation
  der(r) = v;
  for i in 1:n loop
    d[i, :] = r[i, :] - (if i == 1 then zeros(2) else r[max(i - 1, 1), :]);
    d[i, :] * d[i, :] = L^2;
    m[i] * der(v[i, :]) = m[i] * g - lambda[i] * d[i, :] + (if i < n then lambda[min(i + 1, n)] * d[min(i + 1, n), :] else zeros(2));
  end for;
end Chain;)",
                                 {.parameters = {{"n", fmt::format("{}", n)}}});
    EXPECT_EQ(model.variables.size(), static_cast<std::size_t>(7 * n));
    EXPECT_NEAR(value(model, *model.variables.at(0).start), 1.0 / n, 1e-15);
    expect_balanced(model);
  }
}

TEST(FlattenCircuit, LoopsHoldWhens) {
  const FlatModel model =
      flat_body("parameter Integer n = 3; Real h[n](start = {1, 2, 3}), v[n]; Integer hits[n];",
                "der(h) = v; der(v) = fill(-9.81, n); for i in {1, 2, 3} loop when h[i] < 0 then reinit(v[i], "
                "-0.5 * pre(v[i])); hits[i] = pre(hits[i]) + 1; end when; end for;");
  ASSERT_EQ(model.whens.size(), 3u);
  EXPECT_EQ(model.relations.size(), 3u);
  EXPECT_EQ(model.variables[model.whens[2].branches[0].actions[0].variable].name, "hits[3]");
  EXPECT_EQ(model.variables[model.whens[2].branches[0].actions[1].variable].name, "v[3]");
  expect_balanced(model);
}

}  // namespace
}  // namespace driftless::flatten_circuit_test
