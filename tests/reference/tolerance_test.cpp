// What a tolerance means: every reference problem from its natural form with default options, the achieved error of u
// (q), v and lambda beside the tolerance. Prints the table; checks that it is honest on average and never far off.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "driftless/driftless.h"
#include "testset/problem.h"

namespace driftless::tolerance_test {
namespace {

// The earliest reference, except where a later one is the usual end of the problem and cheap enough.
const testset::Reference* reference_of(const testset::Problem& problem) {
  const testset::Reference* chosen = nullptr;
  for (const auto& reference : problem.references) {
    const bool usual = (problem.name == "pendulum_schropp" && reference.time == 20.0) ||
                       (problem.name.starts_with("fekete20") && reference.time == 10.0);
    if (usual) return &reference;
    if (!chosen || reference.time < chosen->time) chosen = &reference;
  }
  return chosen;
}

// max over the components of |x - reference| / max(1, |reference|); NaN where nothing is known.
double block_error(const Block& block, ConstSpan state, const Vector& reference) {
  double error = std::nan("");
  for (std::size_t i = block.begin; i < block.begin + block.size; ++i)
    if (!std::isnan(reference[i]))
      error = std::fmax(error, std::abs(state[i] - reference[i]) / std::fmax(1.0, std::abs(reference[i])));
  return error;
}

const char* kind_of(const std::string& symbol) {
  if (symbol == "v") return "v";
  return symbol == "lambda" ? "lambda" : "u";
}

struct Mean {
  double sum = 0.0;
  int count = 0;
  double value() const { return std::exp(sum / count); }
};

// The transistors of the gate have kinks that nothing announces: at 1e-10 one of twelve tolerances nearby, chosen as
// they come, ends with more than 100 tolerances (four of twelve, while one iteration of Newton could be enough).
double bound_of(const std::string& name, double tolerance) {
  return name == "nand_gate" && tolerance < 1e-9 ? 1000.0 : 100.0;
}

class Honesty : public testing::TestWithParam<AdaptiveMethod> {};

TEST_P(Honesty, OnEveryReferenceProblem) {
  std::map<std::string, Mean> means;
  for (const auto& name : testset::problem_names()) {
    const auto problem = testset::problem(name);
    const auto* reference = reference_of(problem);
    if (!reference) continue;
    std::map<std::string, Vector> errors;
    for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const Solution solution = solve(problem.equations, problem.start,
                                      {.span = {problem.begin, reference->time},
                                       .adaptive = GetParam(),
                                       .tolerance = {tolerance, tolerance},
                                       .dense = false});
      ASSERT_TRUE(solution.ok()) << name << ", " << tolerance << ": " << solution.failure().message();
      std::string line = fmt::format("{:30} {:7.0e} {:6} f {:5} J", name, tolerance, solution.statistics().evaluations,
                                     solution.statistics().jacobians);
      for (const Block& block : layout_of(problem.equations).blocks()) {
        const double error = block_error(block, solution.state(solution.size() - 1), reference->state);
        if (block.size == 0 || std::isnan(error)) continue;
        line += fmt::format("  {} {:.1e} ({:.2g})", block.symbol, error, error / tolerance);
        errors[block.symbol].push_back(error);
        // The charges of the pump are 1e-13 in size: a tolerance of 1e-10 asks nothing of them.
        if (name == "charge_pump" || error == 0.0) continue;
        Mean& mean = means[kind_of(block.symbol)];
        mean.sum += std::log(error / tolerance);
        ++mean.count;
        EXPECT_LT(error, bound_of(name, tolerance) * tolerance)
            << name << ", " << block.symbol << ", tolerance " << tolerance;
      }
      fmt::print("{}\n", line);
      // Constraints at rounding level, relative to the size of their terms; those of the circuit models are not in
      // SI-friendly units.
      if (std::holds_alternative<Mechanical>(problem.equations)) {
        EXPECT_LT(solution.certificate().position, 1e-12) << name;
      }
    }
    for (const auto& [symbol, values] : errors)
      if (name != "charge_pump") {
        EXPECT_LT(values.back(), std::fmax(values.front(), 1e-12)) << name << ", " << symbol << ": does not fall";
      }
  }
  for (const auto& [kind, mean] : means) {
    fmt::print("geometric mean of error / tolerance in {}: {:.3g} over {} runs\n", kind, mean.value(), mean.count);
    EXPECT_GT(mean.value(), 0.04) << kind;  // u with Radau: 0.049
    EXPECT_LT(mean.value(), 10.0) << kind;
  }
}

INSTANTIATE_TEST_SUITE_P(Tolerance, Honesty, testing::Values(AdaptiveMethod::automatic, AdaptiveMethod::radau),
                         [](const auto& tested) {
                           return tested.param == AdaptiveMethod::radau ? "Radau" : "Automatic";
                         });

// lambda = (r - 1)/(epsilon^2 r): what Newton's iteration leaves in the positions counts a million times, and its
// corrections end in rounding. Errors were between 56 and 560 tolerances, depending on the last bit.
TEST(Tolerance, OfAStiffSpringIsMetNearby) {
  const auto problem = testset::problem("stiff_spring_pendulum_eps1e-3");
  const auto& reference = problem.references.front();
  for (double factor : {1.0, 1.00001, 0.99999, 1.001, 0.999, 1.03, 0.97}) {
    const double tolerance = 1e-8 * factor;
    const Solution run = solve(problem.equations, problem.start,
                               {.span = {0.0, reference.time}, .tolerance = {tolerance, tolerance}, .dense = false});
    ASSERT_TRUE(run.ok()) << factor;
    EXPECT_LT(std::abs(run.state(run.size() - 1)[4] - reference.state[4]), 20.0 * tolerance) << factor;
  }
}

TEST(Tolerance, PendulumTo10000StaysOnItsManifold) {
  const auto problem = testset::problem("pendulum_schropp");
  const Solution solution =
      solve(problem.equations, problem.start,
            {.span = {0.0, 10000.0}, .tolerance = {1e-6, 1e-6}, .keep_every = 1000000, .dense = false});
  ASSERT_TRUE(solution.ok());
  EXPECT_LT(solution.certificate().position, 1e-14);
  EXPECT_LT(solution.certificate().velocity, 1e-14);
  EXPECT_LT(solution.certificate().acceleration, 1e-13);
}

}  // namespace
}  // namespace driftless::tolerance_test
