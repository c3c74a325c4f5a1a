// Order of the solution inside steps for mechanics, in the plain and in the wide form: steps held at h, the largest
// error at many points inside them against h, multipliers included.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "tests/order/observed_order.h"
#include "tests/order/wide_problem.h"

namespace driftless::order::wide_dense_order_test {
namespace {

struct Row {
  const char* name;
  SolveOptions options;
  double h;               // the coarser of two steps
  Vector projected, raw;  // recorded orders of q, v and the multipliers
  double band = 0.35;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

SolveOptions explicit_steps(AdaptiveMethod method) { return {.adaptive = method, .tolerance = {1e3, 1e3}}; }
// Newton's iteration goes to rounding. On position level it cannot: velocities are difference quotients there.
SolveOptions radau(ConstraintLevel level) {
  return {.adaptive = AdaptiveMethod::radau,
          .tolerance = {1.0, 1.0},
          .radau = {.least_stages = 3, .most_stages = 3, .level = level, .newton_share = 1e-10}};
}

// The points are scattered, so that no set of them falls on the ends of steps, where errors are smaller.
Vector errors_inside(const Equations& equations, const std::function<Vector(double)>& exact, SolveOptions options,
                     double h, bool projected) {
  const double begin = 0.2;
  options.span = {begin, begin + 1.0};
  options.stepping = {.first = h, .largest = h};
  const Solution run = solve(equations, exact(begin), options);
  run.or_throw();
  EXPECT_LT(static_cast<double>(run.statistics().steps) * h, 1.5);  // Newton's iteration may ask for shorter ones
  Vector errors;
  for (const Block& block : layout_of(equations).blocks()) {
    if (block.size == 0) continue;
    errors.push_back(0.0);
    for (int i = 1; i <= 400; ++i) {
      const double t = begin + std::fmod(i * 0.6180339887498949, 1.0);
      const Vector x = run.at(t, projected), expected = exact(t);
      for (std::size_t k = block.begin; k < block.begin + block.size; ++k)
        errors.back() = std::fmax(errors.back(), std::abs(x[k] - expected[k]));
    }
  }
  return errors;
}

void expect_orders(const Row& row, const std::string& problem, const Equations& equations,
                   const std::function<Vector(double)>& exact) {
  for (const bool projected : {true, false}) {
    const Vector coarse = errors_inside(equations, exact, row.options, row.h, projected),
                 fine = errors_inside(equations, exact, row.options, row.h / 2, projected);
    const Vector& recorded = projected ? row.projected : row.raw;
    for (std::size_t k = 0; k < recorded.size(); ++k)
      EXPECT_NEAR(std::log2(coarse[k] / fine[k]), recorded[k], row.band)
          << row.name << ", " << problem << ", block " << k << (projected ? ", projected" : ", raw") << ": "
          << coarse[k] << ", " << fine[k];
  }
}

class WideDenseOrder : public testing::TestWithParam<Row> {};

TEST_P(WideDenseOrder, IsAsRecordedInTheWideForm) {
  for (const WideCase& given : wide_cases)
    expect_orders(GetParam(), given.name, wide_problem(given), [&](double t) { return wide_solution(given, t); });
}

TEST_P(WideDenseOrder, IsAsRecordedInThePlainForm) {
  const ExactProblem problem = exact_problem("mms_index3_nonautonomous");
  expect_orders(GetParam(), "plain", problem.equations, problem.exact);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, WideDenseOrder,
    testing::Values(Row{"dopri5", explicit_steps(AdaptiveMethod::dopri5), 1.0 / 32, {5, 5, 5}, {5, 5, 5}},
                    Row{"dop853", explicit_steps(AdaptiveMethod::dop853), 1.0 / 5, {8, 8, 8}, {8, 8, 8}, 0.65},
                    Row{"hem5", explicit_steps(AdaptiveMethod::hem5), 1.0 / 20, {5, 5, 5}, {5, 5, 5}},
                    Row{"hem4", explicit_steps(AdaptiveMethod::hem4), 1.0 / 20, {4, 4, 4}, {4, 4, 4}},
                    Row{"hem3", explicit_steps(AdaptiveMethod::hem3), 1.0 / 20, {3, 3, 3}, {3, 3, 3}},
                    Row{"acceleration", radau(ConstraintLevel::acceleration), 1.0 / 16, {4, 4, 4}, {4, 4, 3}},
                    Row{"velocity", radau(ConstraintLevel::velocity), 1.0 / 16, {4, 4, 4}, {4, 4, 3}, 0.5},
                    Row{"ggl", radau(ConstraintLevel::ggl), 1.0 / 16, {4, 4, 4}, {4, 4, 3}, 0.5}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace driftless::order::wide_dense_order_test
