// Mechanical problems as index-2 problems after Gear, Gupta and Leimkuhler: every reference problem of that form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/geometric/index2_problem.h"
#include "driftless/integrate/solve.h"
#include "testset/problem.h"

namespace driftless::geo_sources_test {
namespace {

double difference(ConstSpan x, ConstSpan y, std::size_t count) {
  double largest = 0.0;
  for (std::size_t i = 0; i < count; ++i) largest = std::fmax(largest, std::abs(x[i] - y[i]) / (1.0 + std::abs(y[i])));
  return largest;
}

class EveryMechanicalProblem : public testing::TestWithParam<std::string> {};

std::vector<std::string> mechanical_problems() {
  std::vector<std::string> names;
  for (const std::string& name : testset::problem_names()) {
    const bool mechanical = std::holds_alternative<Mechanical>(testset::problem(name).equations);
    if (mechanical && name != "chain_pendulum_50") names.push_back(name);  // that one only takes long
  }
  return names;
}

TEST_P(EveryMechanicalProblem, HasTheSameSolution) {
  const testset::Problem problem = testset::problem(GetParam());
  const Index2 ggl = index2_of(problem.equations);
  const double length = problem.references.empty() ? 1.0 : problem.references.front().time - problem.begin;
  const double end = problem.begin + 0.05 * length;
  const SolveOptions options{
      .span = {problem.begin, end}, .tolerance = {.relative = 1e-9, .absolute = 1e-11}, .dense = false};
  const Solution original = solve(problem.equations, problem.start, options);
  const Solution converted = solve(ggl, state_as_index2_of(problem.equations, problem.begin, problem.start), options);
  ASSERT_TRUE(original.ok()) << original.failure().message();
  ASSERT_TRUE(converted.ok()) << converted.failure().message();
  const ConstSpan x = original.state(original.size() - 1), y = converted.state(converted.size() - 1);
  const double error = difference(y, x, ggl.u_size());
  fmt::print("{}: t = {}, difference {:.1e}, steps {} and {}\n", problem.name, end, error, original.size() - 1,
             converted.size() - 1);
  EXPECT_LT(error, 1e-7);
  EXPECT_GT(difference(x, problem.start, ggl.u_size()), 1e-6);  // it has moved
}

INSTANTIATE_TEST_SUITE_P(GeoSources, EveryMechanicalProblem, testing::ValuesIn(mechanical_problems()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace driftless::geo_sources_test
