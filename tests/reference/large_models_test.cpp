// The model files of any size: what is made of them, their consistent starts against exact values, and the work,
// counted in bytes that are asked for, which must grow no faster than the model.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <unordered_map>

#include "driftless/expression/parameter_trace.h"
#include "driftless/modelfile/compiled/model_content.h"
#include "driftless/modelfile/compiled/model_equations.h"
#include "driftless/modelfile/compiled/model_events.h"
#include "driftless/modelfile/flatten/read_model.h"
#include "driftless/modelfile/start/initial_system.h"
#include "driftless/modelfile/structure/form_plan.h"
#include "tests/unit/count_allocations.h"

namespace driftless::large_models_test {
namespace {

FlatModel read_large(const std::string& name, std::size_t n, const std::string& from = {}, const std::string& to = {}) {
  std::ostringstream all;
  all << std::ifstream(std::string(DRIFTLESS_SOURCE_DIR) + "/examples/models/large/" + name + ".mo").rdbuf();
  std::string text = all.str();
  if (!from.empty()) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("not in the model: " + from);
    text.replace(at, from.size(), to);
  }
  ModelReading reading = read_model(text, name, {.parameters = {{"n", std::to_string(n)}}});
  if (!reading.ok()) throw std::runtime_error(render(reading.diagnostics));
  return *std::move(reading.model);
}

// A model up to its start.
struct Begun {
  explicit Begun(FlatModel flat)
      : tracing(flat.graph.trace().get()),
        reduction(reduce(std::move(flat))),
        plan(plan_form(reduction)),
        held(reduction.model) {
    const auto equations = make_model_equations(reduction, plan, held.slots, Engine::interpreter);
    const ModelEvents events(reduction, plan, held, equations, Engine::interpreter);
    const ParameterValues parameters(reduction.model.graph.trace());
    const OwnNumbers own(reduction, parameters);
    const InitialSystem initial(reduction, 0.0);
    Vector inputs(reduction.model.slots, 0.0);
    const Vector start = held.start(reduction.model, 0.0);
    for (std::size_t k = 0; k < held.slots.size(); ++k) inputs[held.slots[k]] = start[k];
    found = initial.solve(0.0, inputs);
    for (const Finding& finding : found.errors) ADD_FAILURE() << finding.message;
    for (const Unknown& unknown : reduction.unknowns) slot_of[unknown.name] = unknown.slot;
  }
  double operator[](const std::string& name) const { return found.values.at(slot_of.at(name)); }

  Tracing tracing;
  Reduction reduction;
  FormPlan plan;
  HeldLayout held;
  InitialSystem::Outcome found;
  std::unordered_map<std::string, std::uint32_t> slot_of;
};

std::string element(const char* name, std::size_t k) { return std::string(name) + "[" + std::to_string(k) + "]"; }

constexpr std::size_t many = 2000;

// The real root of w + w^3 = c (Cardano).
double cubic_root(double c) {
  const double s = std::sqrt(c * c / 4 + 1.0 / 27);
  return std::cbrt(c / 2 + s) + std::cbrt(c / 2 - s);
}

TEST(LargeModels, AlgebraicSpeciesStartInEquilibrium) {
  const Begun model(read_large("reaction_diffusion", many));
  EXPECT_EQ(std::get<Index1Plan>(model.plan.form).x.size(), 2 * many);
  EXPECT_EQ(model.plan.index, 1);
  for (std::size_t k = 1; k <= many; ++k) {
    const double u = model[element("u", k)];
    EXPECT_EQ(u, 0.5 + 0.4 * std::cos(3.14159265358979323846 * (double(k) - 0.5) / double(many))) << k;
    ASSERT_NEAR(model[element("w", k)], cubic_root(u / (0.2 + u)), 1e-13) << k;
  }
}

TEST(LargeModels, NetlistKeepsOneStateForEachNode) {
  const Begun model(read_large("rc_grid", 45));
  EXPECT_EQ(std::get<Index1Plan>(model.plan.form).x.size(), 45u * 45u);
  EXPECT_EQ(model.plan.index, 0);
}

// A chain that hangs at rest, given a hundredth too long: lambda_i = (n - i + 1) m g / l.
TEST(LargeModels, HangingChainFindsItsLengthAndItsForces) {
  const Begun model(read_large("rod_chain", many,
                               "start = {i / n for i in 1:n}), y[n](each unit = \"m\", each start = 0)",
                               "each start = 0), y[n](each unit = \"m\", start = {-1.01 * i / n for i in 1:n})"));
  const auto& plan = std::get<MechanicalPlan>(model.plan.form);
  EXPECT_EQ(plan.q.size(), 2 * many);
  EXPECT_EQ(plan.lambda.size(), many);
  EXPECT_TRUE(model.found.chosen.empty());
  for (std::size_t k = 1; k <= many; ++k) {
    ASSERT_NEAR(model[element("x", k)], 0.0, 1e-12) << k;
    ASSERT_NEAR(model[element("y", k)], -double(k) / double(many), 1e-12) << k;
    ASSERT_NEAR(model[element("vy", k)], 0.0, 1e-12) << k;
    const double force = double(many - k + 1) * 9.81;
    ASSERT_NEAR(model[element("lambda", k)], force, 1e-9 * 9.81 * double(many)) << k;
  }
}

// v follows from v alone where gates are not stated: the stated outputs stay, and gates solve g + 0.01 g^3 = v.
TEST(LargeModels, GatesFollowStatedOutputs) {
  const Begun model(read_large("cmos_chain", many));
  const auto& plan = std::get<Index2Plan>(model.plan.form);
  EXPECT_EQ(plan.lambda.size(), many);
  EXPECT_EQ(plan.u.size(), 2 * many + 1);
  EXPECT_EQ(model.reduction.model.relations.size(), 4 * many);
  for (std::size_t k = 1; k <= many; ++k) {
    const double before = k == 1 ? model["vin"] : model[element("v", k - 1)], gate = model[element("vg", k)];
    ASSERT_EQ(model[element("v", k)], k % 2 == 1 ? 5.0 : 0.0) << k;
    ASSERT_NEAR(gate + 0.01 * gate * gate * gate, before, 1e-12) << k;
  }
}

// All equations as written, with what was eliminated put back.
TEST(LargeModels, LadderHoldsAtTheStart) {
  const Begun model(read_large("nonlinear_ladder", many));
  const Graph& graph = model.reduction.model.graph;
  Vector values = model.found.values;
  for (const auto& [slot, value] : model.reduction.values) values[slot] = evaluate(graph, value, model.found.values);
  EXPECT_EQ(model["s"], 2.0);
  std::size_t checked = 0;
  for (const FlatEquation& equation : model.reduction.model.equations) {
    if (equation.text.find("der(") != std::string::npos) continue;
    ASSERT_NEAR(evaluate(graph, equation.residual, values), 0.0, 1e-12) << equation.text;
    ++checked;
  }
  EXPECT_EQ(checked, 2 * many);
}

// Taking unknowns out of a long loop must not make its other rows long.
TEST(LargeModels, RowsOfALadderStayShort) {
  const Begun model(read_large("nonlinear_ladder", many));
  std::size_t entries = 0, longest = 0;
  for (const Row& row : model.reduction.rows) {
    entries += row.unknowns.size();
    longest = std::max(longest, row.unknowns.size());
  }
  EXPECT_LE(longest, 30u);
  EXPECT_LE(entries, 12 * model.reduction.rows.size());
  EXPECT_LE(model.reduction.rows.size(), 6 * many / 5);  // of 2 many + 1
}

// Every row contains the mean of all: as an unknown it costs two entries a row, taken out it would cost many.
TEST(LargeModels, WhatStandsInAllRowsAndIsMadeOfAllStays) {
  const std::string text =
      "model mean parameter Integer n = 10; Real x[n](start = {i / n for i in 1:n}, each fixed = true), m, k; equation "
      "m = sum(x) / n; k = 2 * m; for i in 1:n loop der(x[i]) = k - x[i]^3; end for; end mean;";
  ModelReading reading = read_model(text, "mean", {.parameters = {{"n", std::to_string(many)}}});
  ASSERT_TRUE(reading.ok()) << render(reading.diagnostics);
  const Begun model(*std::move(reading.model));
  EXPECT_EQ(model.reduction.rows.size(), many + 1);
  std::size_t entries = 0;
  for (const Row& row : model.reduction.rows) entries += row.unknowns.size();
  EXPECT_EQ(entries, 3 * many + 1);
  EXPECT_NEAR(model["m"], 0.5 * double(many + 1) / double(many), 1e-12);  // k is an alias of it
}

// The number of masses is in every start value; it cannot change without reading again, so nothing is kept about them.
TEST(LargeModels, SizesAreNoParameters) {
  const Begun model(read_large("rod_chain", many));
  EXPECT_LE(model.reduction.model.graph.trace()->size(), many);
}

struct Growing {
  const char* model;
  std::size_t n, twice;  // with about twice as many equations
};

class Growth : public ::testing::TestWithParam<Growing> {};

double bytes_for(const char* name, std::size_t n, std::size_t& equations) {
  const std::size_t before = allocated_bytes;
  FlatModel flat = read_large(name, n);
  equations = flat.equations.size();
  const Begun model(std::move(flat));
  return static_cast<double>(allocated_bytes - before);
}

// What costs a scan of the model for each of its rows asks for twice as much a row in a model of twice the size.
TEST_P(Growth, BytesGrowLikeTheModel) {
  const auto [name, n, twice] = GetParam();
  std::size_t small = 0, large = 0, warm = 0;
  bytes_for(name, n, warm);
  const double few = bytes_for(name, n, small), more = bytes_for(name, twice, large);
  const double size = static_cast<double>(large) / static_cast<double>(small);
  EXPECT_GT(size, 1.8);
  EXPECT_LT(more / few, 1.25 * size) << few << " and " << more << " bytes";
}

INSTANTIATE_TEST_SUITE_P(Models, Growth,
                         ::testing::Values(Growing{"fisher", 2000, 4000}, Growing{"reaction_diffusion", 1000, 2000},
                                           Growing{"rc_grid", 24, 34}, Growing{"brusselator", 24, 34},
                                           Growing{"rod_chain", 500, 1000}, Growing{"nonlinear_ladder", 1500, 3000},
                                           Growing{"cmos_chain", 400, 800}, Growing{"diode_grid", 24, 34},
                                           Growing{"heat_grid", 24, 34}, Growing{"taylor_green", 16, 23},
                                           Growing{"rod_net", 12, 17}),
                         [](const auto& one) { return std::string(one.param.model); });

}  // namespace
}  // namespace driftless::large_models_test
