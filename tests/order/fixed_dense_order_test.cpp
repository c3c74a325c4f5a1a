// Order of the solution between fixed steps: the largest error inside the steps against h, for the families.
//
// Methods of collocation have a polynomial of degree s, or s + 1 if no stage is at the end: its error is O(h^(s+1)) in
// u. In the stages of index 3 the velocities are one order less accurate, O(h^s); what is projected gains nothing from
// that. Others go through slopes at both ends and inside: O(h^(p+1)) for order p, from 3 to 5, and so no worse than the
// steps.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "tests/order/observed_order.h"

namespace driftless::order::fixed_dense_order_test {
namespace {

struct Row {
  const char* problem;
  const char* name;
  Tableau tableau;
  std::size_t steps;
  Vector orders;  // of the blocks
  MultiplierRule multiplier = MultiplierRule::stages;
  friend void PrintTo(const Row& row, std::ostream* out) { *out << row.name << " on " << row.problem; }
};

Vector errors_inside(const Row& row, const ExactProblem& problem, std::size_t steps) {
  const Solution solution = solve(problem.equations, problem.exact(problem.begin),
                                  {.span = {problem.begin, problem.begin + 1.0},
                                   .steps = steps,
                                   .method = {.tableau = row.tableau, .multiplier = row.multiplier}});
  solution.or_throw();
  Vector errors;
  for (const Block& block : layout_of(problem.equations).blocks()) {
    if (block.size == 0) continue;
    double error = 0.0;
    for (int i = 1; i <= 400; ++i) {
      const double t = problem.begin + std::fmod(i * 0.6180339887498949, 1.0);  // scattered over all steps
      const Vector x = solution.at(t), exact = problem.exact(t);
      for (std::size_t k = block.begin; k < block.begin + block.size; ++k)
        error = std::fmax(error, std::abs(x[k] - exact[k]));
    }
    errors.push_back(error);
  }
  return errors;
}

class FixedDenseOrder : public testing::TestWithParam<Row> {};

TEST_P(FixedDenseOrder, IsThatOfTheory) {
  const Row& row = GetParam();
  const ExactProblem problem = exact_problem(row.problem);
  const Vector coarse = errors_inside(row, problem, row.steps), fine = errors_inside(row, problem, 2 * row.steps);
  for (std::size_t k = 0; k < coarse.size(); ++k)
    EXPECT_NEAR(std::log2(coarse[k] / fine[k]), row.orders[k], 0.35)
        << row.name << " on " << row.problem << ", block " << k << ", errors " << coarse[k] << ", " << fine[k];
}

constexpr const char* index2 = "mms_index2_gamma";
constexpr const char* index3 = "mms_index3_nonautonomous";

INSTANTIATE_TEST_SUITE_P(
    Families, FixedDenseOrder,
    testing::Values(Row{index2, "radau_iia(2)", radau_iia(2), 64, {3, 3}},
                    Row{index2, "radau_iia(3)", radau_iia(3), 48, {4, 4}},
                    Row{index2, "gauss(2)", gauss(2), 64, {3, 3}, MultiplierRule::hidden_constraint},
                    Row{index2, "radau_ia(3)", radau_ia(3), 48, {5, 5}},
                    Row{index2, "lobatto_iiic(3)", lobatto_iiic(3), 48, {4, 4}},
                    Row{index2, "sdirk3", sdirk3(), 128, {2, 2}}, Row{index2, "hem3", hem3(), 128, {3, 3}},
                    Row{index2, "hem4", hem4(), 128, {4, 4}}, Row{index2, "hem5", hem5(), 12, {5, 5}},
                    Row{index3, "radau_iia(2)", radau_iia(2), 64, {3, 3, 3}},
                    Row{index3, "radau_iia(3)", radau_iia(3), 32, {4, 4, 4}},
                    Row{index3, "lobatto_iiic(3)", lobatto_iiic(3), 64, {4, 4, 4}}));

}  // namespace
}  // namespace driftless::order::fixed_dense_order_test
