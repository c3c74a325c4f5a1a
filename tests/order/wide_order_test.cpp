// Orders for the wide form of mechanics: generalised speeds, constraints on velocities, both, singular masses and
// redundant constraints, with time in the equations and with time as one more coordinate. docs/methods.md says which
// ones the theorems give, and why.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>

#include "tests/order/observed_order.h"
#include "tests/order/wide_problem.h"

namespace driftless::order::wide_order_test {
namespace {

struct Row {
  const char* name;
  SolveOptions options;
  double h;         // the coarser of two steps
  Vector recorded;  // orders of q, v and the multipliers
  double band = 0.4;
  Vector of_velocities_alone = {};  // where there is no constraint on positions, if they differ
};

SolveOptions fixed(const char* tableau, MultiplierRule rule = MultiplierRule::hidden_constraint) {
  return {.method = {.tableau = tableau_by_name(tableau), .multiplier = rule, .despite_conditions = true}};
}
SolveOptions adaptive(AdaptiveMethod method) { return {.adaptive = method, .tolerance = {1e3, 1e3}}; }
// Newton's iteration goes to rounding.
SolveOptions radau(int stages, ConstraintLevel level) {
  return {.adaptive = AdaptiveMethod::radau,
          .tolerance = {1.0, 1.0},
          .radau = {.least_stages = stages, .most_stages = stages, .level = level, .newton_share = 1e-11}};
}

struct Errors {
  double steps;
  Vector blocks = {};
};

Errors errors_with(const Equations& equations, const std::function<Vector(double)>& exact, SolveOptions options,
                   double h) {
  const double begin = 0.2, end = begin + 1.0;
  options.span = {begin, end};
  if (options.method != Method())
    options.step_size = h;
  else
    options.stepping = {.first = h, .largest = h};
  const Solution run = solve(equations, exact(begin), options);
  run.or_throw();
  Errors errors{.steps = static_cast<double>(run.size() - 1)};
  for (const Block& block : layout_of(equations).blocks()) {
    double error = 0.0;  // the largest at the ends of steps: at one of them an error may be small by chance
    for (std::size_t i = 1; i < run.size(); ++i) {
      const Vector expected = exact(run.time(i));
      for (std::size_t k = block.begin; k < block.begin + block.size; ++k)
        error = std::fmax(error, std::abs(run.state(i)[k] - expected[k]));
    }
    if (block.size > 0) errors.blocks.push_back(error);
  }
  return errors;
}

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class WideOrder : public testing::TestWithParam<Row> {};

TEST_P(WideOrder, IsAsRecorded) {
  const Row& row = GetParam();
  for (const WideCase& given : wide_cases) {
    const Equations timed = wide_problem(given);
    for (const bool clock : {false, true}) {
      const Equations equations = clock ? autonomous(timed) : timed;
      const auto exact = [&](double t) {
        const Vector state = wide_solution(given, t);
        return clock ? autonomous_state(timed, t, state) : state;
      };
      const Errors coarse = errors_with(equations, exact, row.options, row.h),
                   fine = errors_with(equations, exact, row.options, row.h / 2);
      const double doublings = std::log2(fine.steps / coarse.steps);  // Newton's iteration may ask for shorter steps
      EXPECT_NEAR(doublings, 1.0, 0.25) << given.name;
      Vector recorded = given.holonomic || row.of_velocities_alone.empty() ? row.recorded : row.of_velocities_alone;
      // Without inertia the balance of v[2] gives nu from q and v, as well as these are.
      if (given.singular && !given.holonomic) recorded[2] = recorded[1];
      for (std::size_t k = 0; k < recorded.size(); ++k)
        EXPECT_NEAR(std::log2(coarse.blocks[k] / fine.blocks[k]) / doublings, recorded[k], row.band)
            << given.name << (clock ? ", time as a coordinate" : "") << ", block " << k << ": " << coarse.blocks[k]
            << ", " << fine.blocks[k];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Fixed, WideOrder,
    testing::Values(
        Row{"radau-iia-2", fixed("radau-iia-2"), 1.0 / 40, {3, 3, 3}},
        Row{"radau-iia-3", fixed("radau-iia-3"), 1.0 / 20, {5, 5, 5}},
        Row{"radau-iia-3 stages", fixed("radau-iia-3", MultiplierRule::stages), 1.0 / 10, {5, 5, 2}, 0.4, {5, 5, 3}},
        Row{"collocation-2", fixed("collocation-2"), 1.0 / 40, {2, 2, 2}, 0.4, {3, 3, 3}},
        Row{"hem4", fixed("hem4"), 1.0 / 20, {4, 4, 4}}, Row{"hem5", fixed("hem5"), 1.0 / 20, {5, 5, 5}}));

INSTANTIATE_TEST_SUITE_P(
    Adaptive, WideOrder,
    testing::Values(Row{"dopri5", adaptive(AdaptiveMethod::dopri5), 1.0 / 32, {5, 5, 5}, 0.6},
                    Row{"dop853", adaptive(AdaptiveMethod::dop853), 1.0 / 5, {8, 8, 8}, 1.4},
                    Row{"hem3", adaptive(AdaptiveMethod::hem3), 1.0 / 40, {3, 3, 3}},
                    Row{"acceleration", radau(3, ConstraintLevel::acceleration), 1.0 / 10, {5, 5, 5}, 0.8}));

}  // namespace
}  // namespace driftless::order::wide_order_test
