// General equations of index 3 on patterns: sparse and whole matrices give the same runs, with the same orders, without
// drift, with redundant constraints, after events, in memory that grows with the problem.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "driftless/equations/index_check.h"
#include "driftless/equations/manifold.h"
#include "driftless/linalg/linear_system.h"
#include "tests/unit/integrate/sparse_runs.h"
#include "testset/problem.h"

namespace driftless {
namespace {

// `n` points on rods of length 1/n in a plane, hung up at the origin, in a time that beats: u' = (1 + sin(t)/5) v. The
// last `doubled` rods are there twice.
struct BeatingChain {
  std::size_t n, doubled = 0;

  void f(auto, auto v, auto t, auto out) const {
    for (std::size_t i = 0; i < 2 * n; ++i) out[i] = (1.0 + 0.2 * std::sin(t)) * v[i];
  }
  void k(auto u, auto v, auto lambda, auto, auto out) const {
    for (std::size_t i = 0; i < n; ++i) {
      out[2 * i] = -0.1 * v[2 * i];
      out[2 * i + 1] = -1.0 - 0.1 * v[2 * i + 1];
    }
    for (std::size_t r = 0; r < n + doubled; ++r) {
      const std::size_t i = rod(r);
      for (std::size_t c = 0; c < 2; ++c) {
        const auto pull = lambda[r] * along(u, i, c);
        out[2 * i + c] -= pull;
        if (i > 0) out[2 * i - 2 + c] += pull;
      }
    }
  }
  void g(auto u, auto, auto out) const {
    const double length = 1.0 / static_cast<double>(n);
    for (std::size_t r = 0; r < n + doubled; ++r) {
      const auto x = along(u, rod(r), 0), y = along(u, rod(r), 1);
      out[r] = 0.5 * (x * x + y * y - length * length);
    }
  }
  std::size_t rod(std::size_t r) const { return r < n ? r : r - doubled; }
  static auto along(const auto& u, std::size_t i, std::size_t c) {
    auto d = u[2 * i + c];
    if (i > 0) d -= u[2 * i - 2 + c];
    return d;
  }
  Equations equations() const { return index3(*this, {.u = 2 * n, .v = 2 * n, .lambda = n + doubled}); }
  // At rest, straight, a third of a right angle below the horizontal.
  Vector start() const {
    Vector x(5 * n + doubled, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const double s = static_cast<double>(i + 1) / static_cast<double>(n);
      x[2 * i] = s * std::cos(M_PI / 6);
      x[2 * i + 1] = -s * std::sin(M_PI / 6);
    }
    return x;
  }
};

Vector end_of(const Solution& run) {
  EXPECT_TRUE(run.ok()) << run.failure().message();
  return {run.state(run.size() - 1).begin(), run.state(run.size() - 1).end()};
}

Solution fixed_run(LinearKernel kernel, const testset::Problem& made, const std::string& name) {
  const ForcedKernel forced(kernel);
  const auto problem = name.empty() ? made : testset::problem(name);  // patterns are found when equations are made
  return solve(problem.equations, problem.start,
               {.span = {problem.begin, problem.references.back().time}, .steps = 100, .keep_every = 100});
}

TEST(SparseIndex3, AgreesWithDenseOnEveryReferenceProblem) {
  int seen = 0;
  for (const std::string& name : testset::problem_names()) {
    const auto problem = testset::problem(name);
    if (!std::holds_alternative<Index3>(problem.equations) || problem.references.empty()) continue;
    const Solution sparse = fixed_run(LinearKernel::sparse, problem, name);
    const Solution dense = fixed_run(LinearKernel::dense, problem, name);
    ASSERT_EQ(sparse.ok(), dense.ok()) << name;
    if (!dense.ok()) continue;
    EXPECT_LT(difference(end_of(sparse), end_of(dense)), 1e-9) << name;
    ++seen;
  }
  EXPECT_GE(seen, 1);
}

class Chains : public testing::TestWithParam<std::size_t> {};

TEST_P(Chains, SparseAndWholeMatricesGiveTheSameSteps) {
  Vector ends[2];
  for (const LinearKernel kernel : {LinearKernel::dense, LinearKernel::sparse}) {
    const ForcedKernel forced(kernel);
    const bool sparse = kernel == LinearKernel::sparse;
    const BeatingChain chain{12, GetParam()};
    const Equations equations = chain.equations();
    EXPECT_EQ(make_manifold(equations)->is_sparse(), sparse);
    const Solution run =
        solve(equations, chain.start(), {.span = {0.0, 0.5}, .steps = 50, .method = {.tableau = radau_iia(3)}});
    EXPECT_LT(run.certificate().position, 1e-14);
    EXPECT_LT(run.certificate().velocity, 1e-13);
    ends[sparse] = end_of(run);
  }
  EXPECT_LT(difference(ends[1], ends[0]), 1e-10);
}

TEST_P(Chains, AllAdaptiveMethodsAgreeWithoutDrift) {
  const BeatingChain chain{12, GetParam()};
  const Equations equations = chain.equations();
  ASSERT_TRUE(make_manifold(equations)->is_sparse());
  Vector ends[2];
  for (const AdaptiveMethod method : {AdaptiveMethod::dop853, AdaptiveMethod::radau}) {
    const Solution run =
        solve(equations, chain.start(), {.span = {0.0, 0.5}, .adaptive = method, .tolerance = {1e-9, 1e-9}});
    EXPECT_LT(run.certificate().position, 1e-14);
    EXPECT_LT(run.certificate().velocity, 1e-13);
    ends[method == AdaptiveMethod::radau] = end_of(run);
  }
  EXPECT_LT(difference(ends[0], ends[1]), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(SparseIndex3, Chains, testing::Values(0, 2));

TEST(SparseIndex3, RedundantRodsAreCounted) {
  const BeatingChain chain{20, 3};
  const IndexReport report = check_index(chain.equations(), 0.0, chain.start());
  EXPECT_EQ(report.rank, 20u);
  EXPECT_EQ(report.redundant.size(), 3u) << report.verdict;
  EXPECT_TRUE(report.multiplier_found);
}

// Radau IIA with three stages, projected, multipliers of the hidden constraint: 5 in u, v and lambda.
TEST(SparseIndex3, FixedStepsHaveTheirOrder) {
  const BeatingChain chain{12};
  const Equations equations = chain.equations();
  ASSERT_TRUE(make_manifold(equations)->is_sparse());
  const Vector exact = end_of(solve(
      equations, chain.start(), {.span = {0.0, 0.5}, .adaptive = AdaptiveMethod::dop853, .tolerance = {1e-13, 1e-13}}));
  Vector errors;
  for (const std::size_t steps : {16, 32, 64})
    errors.push_back(difference(
        end_of(solve(equations, chain.start(),
                     {.span = {0.0, 0.5},
                      .steps = steps,
                      .method = {.tableau = radau_iia(3), .multiplier = MultiplierRule::hidden_constraint}})),
        exact));
  for (std::size_t k = 0; k < 2; ++k) {
    const double order = std::log2(errors[k] / errors[k + 1]);
    EXPECT_GT(order, 4.5) << errors[k];
    EXPECT_LT(order, 5.6) << errors[k];
  }
}

// A start off the constraints is moved by the same least change, and an event along the same directions.
TEST(SparseIndex3, StartsAndJumpsAreThoseOfWholeMatrices) {
  Vector starts[2], jumps[2];
  for (const LinearKernel kernel : {LinearKernel::dense, LinearKernel::sparse}) {
    const ForcedKernel forced(kernel);
    const BeatingChain chain{12};
    const Equations equations = chain.equations();
    Vector rough = chain.start();
    rough[5] += 0.01;
    rough[24 + 7] = 0.3;
    const auto made = make_consistent(equations, 0.0, rough);
    ASSERT_TRUE(made);
    starts[kernel == LinearKernel::sparse] = made->state;
    const auto jumped = make_consistent(equations, 0.0, rough, {.fixed = {"v[9]"}, .after_event = true});
    ASSERT_TRUE(jumped);
    jumps[kernel == LinearKernel::sparse] = jumped->state;
  }
  EXPECT_LT(difference(starts[1], starts[0]), 1e-12);
  EXPECT_LT(difference(jumps[1], jumps[0]), 1e-12);
  EXPECT_GT(difference(jumps[0], starts[0]), 1e-6);
}

// Time and memory grow with the chain, not with its square: a dense matrix of 5000 unknowns would have 200 MB.
TEST(SparseIndex3, LongChainsFitIntoLittleMemory) {
  const MemoryLimit limit(100 << 20);
  const BeatingChain chain{1000};
  for (const AdaptiveMethod method : {AdaptiveMethod::dop853, AdaptiveMethod::radau}) {
    const Solution run =
        solve(chain.equations(), chain.start(), {.span = {0.0, 1e-3}, .adaptive = method, .tolerance = {1e-4, 1e-4}});
    ASSERT_TRUE(run.ok()) << run.failure().message();
  }
}

}  // namespace
}  // namespace driftless
