// Order of the dense output: steps held at h, the largest error between the steps against h.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/order/observed_order.h"

namespace driftless::order::dense_order_test {
namespace {

// Largest error of each block over a fine grid, with all steps (but the last) of size h: small enough for the Newton
// iteration to reach rounding within its limit.
Vector dense_errors(const ExactProblem& problem, int stages, double h, bool projected) {
  const Solution solution = solve(problem.equations, problem.exact(problem.begin),
                                  {.span = {problem.begin, problem.begin + 1.0},
                                   .adaptive = AdaptiveMethod::radau,
                                   .tolerance = {1.0, 1.0},
                                   .stepping = {.first = h, .largest = h},
                                   .radau = {.least_stages = stages, .most_stages = stages, .newton_share = 1e-13}});
  solution.or_throw();
  Vector errors;
  for (const Block& block : layout_of(problem.equations).blocks()) {
    if (block.size == 0) continue;
    double error = 0.0;
    for (int i = 1; i <= 400; ++i) {
      // scattered, so that no sample set falls on the ends of steps, where the error is smaller
      const double t = problem.begin + std::fmod(i * 0.6180339887498949, 1.0);
      const Vector x = solution.at(t, projected), exact = problem.exact(t);
      for (std::size_t k = block.begin; k < block.begin + block.size; ++k)
        error = std::fmax(error, std::abs(x[k] - exact[k]));
    }
    errors.push_back(error);
  }
  return errors;
}

struct Row {
  const char* problem;
  int stages;
  double h;
  Vector projected, raw;  // recorded orders of the blocks
};

class DenseOrder : public testing::TestWithParam<Row> {};

TEST_P(DenseOrder, IsAsRecorded) {
  const Row& row = GetParam();
  const ExactProblem problem = exact_problem(row.problem);
  for (const bool projected : {true, false}) {
    const Vector coarse = dense_errors(problem, row.stages, row.h, projected),
                 fine = dense_errors(problem, row.stages, row.h / 2, projected);
    const Vector& recorded = projected ? row.projected : row.raw;
    for (std::size_t k = 0; k < coarse.size(); ++k)
      EXPECT_NEAR(std::log2(coarse[k] / fine[k]), recorded[k], 0.35)
          << row.problem << ", " << row.stages << " stages, block " << k << (projected ? ", projected" : ", raw");
  }
}

INSTANTIATE_TEST_SUITE_P(Radau, DenseOrder,
                         testing::Values(Row{"mms_index3_nonautonomous", 3, 1.0 / 16, {4, 4, 4}, {4, 4, 3}},
                                         Row{"mms_index3_nonautonomous", 5, 1.0 / 10, {6, 6, 6}, {6, 6, 5}},
                                         Row{"mms_index2_gamma", 3, 1.0 / 48, {4, 4}, {4, 3}},
                                         Row{"limit_cycle_sphere", 3, 1.0 / 100, {4, 4}, {4, 3}}));

}  // namespace
}  // namespace driftless::order::dense_order_test
