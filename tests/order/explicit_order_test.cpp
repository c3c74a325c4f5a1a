// Orders of the adaptive explicit and half-explicit methods: steps held at h, the error at the end and between the
// steps.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/order/observed_order.h"

namespace driftless::order::explicit_order_test {
namespace {

struct Errors {
  Vector at_end, between;  // by block
};

Errors errors_with(const ExactProblem& problem, AdaptiveMethod method, double h) {
  const double end = problem.begin + 1.0;
  const Solution solution = solve(problem.equations, problem.exact(problem.begin),
                                  {.span = {problem.begin, end},
                                   .adaptive = method,
                                   .tolerance = {1e3, 1e3},
                                   .stepping = {.first = h, .largest = h}});
  solution.or_throw();
  Errors errors;
  for (const Block& block : layout_of(problem.equations).blocks()) {
    if (block.size == 0) continue;
    auto error_at = [&](double t, ConstSpan x) {
      const Vector exact = problem.exact(t);
      double error = 0.0;
      for (std::size_t k = block.begin; k < block.begin + block.size; ++k)
        error = std::fmax(error, std::abs(x[k] - exact[k]));
      return error;
    };
    errors.at_end.push_back(error_at(end, solution.state(solution.size() - 1)));
    double largest = 0.0;
    for (int i = 1; i <= 300; ++i) {
      const double t = problem.begin + std::fmod(i * 0.6180339887498949, 1.0);
      largest = std::fmax(largest, error_at(t, solution.at(t)));
    }
    errors.between.push_back(largest);
  }
  return errors;
}

struct Row {
  const char* problem;
  AdaptiveMethod method;
  double h;
  Vector at_end, between;
};

class ExplicitOrder : public testing::TestWithParam<Row> {};

TEST_P(ExplicitOrder, IsAsRecorded) {
  const Row& row = GetParam();
  const ExactProblem problem = exact_problem(row.problem);
  const Errors coarse = errors_with(problem, row.method, row.h), fine = errors_with(problem, row.method, row.h / 2);
  for (std::size_t k = 0; k < row.at_end.size(); ++k) {
    EXPECT_NEAR(std::log2(coarse.at_end[k] / fine.at_end[k]), row.at_end[k], 0.6)
        << row.problem << ", block " << k << " at the end: " << coarse.at_end[k] << ", " << fine.at_end[k];
    EXPECT_NEAR(std::log2(coarse.between[k] / fine.between[k]), row.between[k], 0.6)
        << row.problem << ", block " << k << " between: " << coarse.between[k] << ", " << fine.between[k];
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, ExplicitOrder,
    testing::Values(Row{"mms_index3_nonautonomous", AdaptiveMethod::dop853, 1.0 / 3, {8, 8, 9}, {8, 8, 8}},
                    Row{"mms_index3_nonautonomous", AdaptiveMethod::dopri5, 1.0 / 16, {5, 5, 5}, {5, 5, 5}},
                    Row{"mms_index3_nonautonomous", AdaptiveMethod::hem3, 1.0 / 32, {3, 3, 3}, {3, 3, 3}},
                    Row{"mms_index3_nonautonomous", AdaptiveMethod::hem4, 1.0 / 16, {4, 4, 4}, {4, 4, 4}},
                    Row{"mms_index3_nonautonomous", AdaptiveMethod::hem5, 1.0 / 10, {5, 5, 5}, {5, 5, 5}},
                    Row{"mms_index2_gamma", AdaptiveMethod::dop853, 1.0 / 3, {8, 8}, {8, 8}},
                    Row{"mms_index2_gamma", AdaptiveMethod::dopri5, 1.0 / 16, {5, 5}, {5, 5}},
                    Row{"mms_index2_gamma", AdaptiveMethod::hem3, 1.0 / 32, {3, 3}, {3, 3}},
                    Row{"mms_index2_gamma", AdaptiveMethod::hem4, 1.0 / 16, {4, 4}, {4, 4}},
                    Row{"mms_index2_gamma", AdaptiveMethod::hem5, 1.0 / 10, {5, 5}, {5, 5}},
                    Row{"hlr_index3", AdaptiveMethod::dop853, 1.0 / 3, {8, 8, 8}, {8, 8, 8}},
                    Row{"limit_cycle_sphere", AdaptiveMethod::dop853, 1.0 / 8, {8, 8}, {8, 8}}));

}  // namespace
}  // namespace driftless::order::explicit_order_test
