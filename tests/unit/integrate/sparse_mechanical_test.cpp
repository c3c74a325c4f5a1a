// Mechanical problems of many bodies: start, index check, redundant constraints and explicit steps without a matrix
// that is made as a whole, beside the dense ones.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "driftless/equations/index_check.h"
#include "driftless/equations/manifold.h"
#include "driftless/linalg/linear_system.h"
#include "tests/unit/integrate/sparse_runs.h"
#include "testset/generators.h"
#include "testset/problem.h"

namespace driftless::sparse_mechanical_test {
namespace {

// Beads on a line of rods of length 1, the first one at the origin; the last rod is stated twice.
struct TwiceHeld {
  std::size_t n;

  void force(auto, auto, auto, auto f) const {
    for (std::size_t k = 0; k < n; ++k) f[2 * k + 1] = -1.0;
  }
  void constraint(auto q, auto, auto g) const {
    for (std::size_t k = 0; k <= n; ++k) {
      const std::size_t rod = k < n ? k : n - 1;
      auto x = q[2 * rod], y = q[2 * rod + 1];
      if (rod > 0) {
        x -= q[2 * rod - 2];
        y -= q[2 * rod - 1];
      }
      g[k] = x * x + y * y - 1.0;
    }
  }
  Equations equations() const { return mechanical(*this, {.q = 2 * n, .lambda = n + 1}); }
  Vector start() const {
    Vector q(2 * n);
    for (std::size_t k = 0; k < n; ++k) q[2 * k] = static_cast<double>(k + 1);
    return q;
  }
};

// With fixed steps, so that rounding decides nothing, and multipliers that are functions of positions and velocities:
// those of the stages have rounding over h^2 in them. Patterns are found when equations are made.
Solution forced_run_of_mechanics(LinearKernel kernel, const std::string& name, const Tableau& tableau) {
  const ForcedKernel forced(kernel);
  const auto problem = testset::problem(name);
  const double end = problem.begin + 0.1 * (problem.references.front().time - problem.begin);
  return solve(problem.equations, problem.start,
               {.span = {problem.begin, end},
                .steps = 200,
                .method = {.tableau = tableau, .multiplier = MultiplierRule::hidden_constraint},
                .keep_every = 200});
}

TEST(SparseMechanical, AgreesWithDenseOnEveryReferenceProblem) {
  int seen = 0;
  for (const std::string& name : testset::problem_names()) {
    const auto problem = testset::problem(name);
    if (!std::holds_alternative<Mechanical>(problem.equations) || problem.references.empty()) continue;
    for (const Tableau& tableau : {radau_iia(3), hem4()}) {
      const Solution sparse = forced_run_of_mechanics(LinearKernel::sparse, name, tableau);
      const Solution dense = forced_run_of_mechanics(LinearKernel::dense, name, tableau);
      ASSERT_EQ(sparse.ok(), dense.ok()) << name << ", " << tableau.name;
      if (!dense.ok()) continue;
      // A stiff rod makes more of the last bit.
      const double bound = name.starts_with("slider_crank_flexible") ? 1e-9 : 1e-11;
      EXPECT_LT(difference(sparse.state(sparse.size() - 1), dense.state(dense.size() - 1)), bound)
          << name << ", " << tableau.name;
      ++seen;
    }
  }
  EXPECT_GE(seen, 16);
}

TEST(SparseMechanical, StartsAgreeWithDenseOnes) {
  const std::size_t n = 30;
  Vector rough = testset::chain_pendulum_start(n);
  for (std::size_t i = 0; i < 4 * n; ++i) rough[i] += 1e-3 * std::sin(static_cast<double>(i));
  Vector found[2];
  for (const LinearKernel kernel : {LinearKernel::dense, LinearKernel::sparse}) {
    const ForcedKernel forced(kernel);
    const Equations equations = testset::chain_pendulum(n);
    EXPECT_EQ(make_manifold(equations)->is_sparse(), kernel == LinearKernel::sparse);
    const auto start = make_consistent(equations, 0.0, rough);
    ASSERT_TRUE(start);
    found[kernel == LinearKernel::sparse] = (*start).state;
  }
  EXPECT_LT(difference(found[1], found[0]), 1e-11);
}

TEST(SparseMechanical, RedundantRowsAreFoundAndRunLikeDenseOnes) {
  const TwiceHeld beads{25};
  Vector ends[2];
  for (const LinearKernel kernel : {LinearKernel::dense, LinearKernel::sparse}) {
    const ForcedKernel forced(kernel);
    const Equations equations = beads.equations();
    Vector state = beads.start();
    state.resize(layout_of(equations).size(), 0.0);
    const IndexReport report = check_index(equations, 0.0, state);
    EXPECT_EQ(report.rank, 25u) << report.verdict;
    EXPECT_EQ(report.redundant.size(), 1u);
    const Solution run =
        solve(equations, beads.start(), {.span = {0.0, 1.0}, .steps = 100, .method = {.tableau = hem4()}});
    ASSERT_TRUE(run.ok()) << run.failure().message();
    EXPECT_LT(run.certificate().position, 1e-13);
    EXPECT_LT(run.certificate().velocity, 1e-12);
    ends[kernel == LinearKernel::sparse].assign(run.state(run.size() - 1).begin(), run.state(run.size() - 1).end());
    const ConstSpan end = run.state(run.size() - 1);
    EXPECT_NEAR(end[end.size() - 1], end[end.size() - 2], 1e-9);  // each of the two takes half
  }
  EXPECT_LT(difference(ends[1], ends[0]), 1e-9);
}

// One dense matrix would need 1.3 GB.
TEST(SparseMechanical, LongChainsTakeLinearMemory) {
  const MemoryLimit limit(std::size_t{300} << 20);
  const std::size_t n = 4000;
  const Solution run =
      solve(testset::chain_pendulum(n), testset::chain_pendulum_start(n), {.span = {0.0, 1e-5}, .keep_every = 1000});
  ASSERT_TRUE(run.ok()) << run.failure().message();
  EXPECT_LT(run.certificate().position, 1e-12);
}

}  // namespace
}  // namespace driftless::sparse_mechanical_test
