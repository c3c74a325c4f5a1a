// Index 1 on patterns: sparse and dense kernels give the same runs, with the same orders, verdicts and refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "driftless/equations/index_check.h"
#include "driftless/linalg/linear_system.h"
#include "tests/unit/integrate/sparse_runs.h"
#include "testset/generators.h"
#include "testset/problem.h"

namespace driftless::sparse_test {
namespace {

// With fixed steps, so that rounding decides nothing. Patterns are found when equations are made.
Solution forced_run(LinearKernel kernel, const std::string& name) {
  const ForcedKernel forced(kernel);
  const auto problem = testset::problem(name);
  return solve(problem.equations, problem.start,
               {.span = {problem.begin, problem.references.back().time},
                .steps = 1000,
                .method = {.tableau = radau_iia(3)},
                .keep_every = 1000});
}

TEST(Sparse, AgreesWithDenseOnEveryReferenceProblem) {
  int seen = 0;
  for (const std::string& name : testset::problem_names()) {
    const auto problem = testset::problem(name);
    if (!std::holds_alternative<Index1>(problem.equations) || problem.references.empty()) continue;
    const Solution sparse = forced_run(LinearKernel::sparse, name), dense = forced_run(LinearKernel::dense, name);
    ASSERT_TRUE(sparse.ok() && dense.ok()) << name;
    // A spring of stiffness 1 / epsilon^2 makes as much of the last bit.
    const double bound = name.starts_with("stiff_spring") ? 1e-10 : 1e-14;
    EXPECT_LT(difference(sparse.state(sparse.size() - 1), dense.state(dense.size() - 1)), bound) << name;
    ++seen;
  }
  EXPECT_GE(seen, 9);
}

std::vector<ConstantMatrix::Entry> diagonal_ones(std::size_t n) {
  std::vector<ConstantMatrix::Entry> ones;
  for (std::uint32_t i = 0; i < n; ++i) ones.push_back({i, i, 1.0});
  return ones;
}

struct MeanField {
  std::size_t n;

  void f(auto x, auto, auto out) const {
    auto sum = x[0];
    for (std::size_t i = 1; i < n; ++i) sum += x[i];
    for (std::size_t i = 0; i < n; ++i) out[i] = sum / double(n) - x[i] * x[i] * x[i];
  }
};

// Not by taking all the memory that there is, the lists of a trace included.
TEST(Sparse, WhatDependsOnEverythingIsRefusedBeforeItIsTried) {
  const MemoryLimit limit(1'000'000'000);
  const std::size_t n = 100'000;
  const Equations equations = index1(MeanField{n}, {.projector = {n, n, diagonal_ones(n)}});
  EXPECT_EQ(std::get<Index1>(equations).functions().pattern(), nullptr);
  try {
    solve(equations, Vector(n, 1.5), {.span = {0.0, 1.0}, .adaptive = AdaptiveMethod::radau});
    ADD_FAILURE();
  } catch (const OutOfMemory& refusal) {
    EXPECT_NE(std::string(refusal.what())
                  .find("(100000 unknowns, dense matrices) would take 480 GB of memory, and the "
                        "limit is 1 GB"),
              std::string::npos)
        << refusal.what();
  }
}

TEST(Sparse, MeetsTheReference) {
  const auto problem = testset::problem("reaction_diffusion_50");
  ASSERT_NE(std::get<Index1>(problem.equations).functions().pattern(), nullptr);
  for (const double tolerance : {1e-6, 1e-10}) {
    const Solution run =
        solve(problem.equations, problem.start, {.span = {0.0, 10.0}, .tolerance = {tolerance, tolerance}});
    ASSERT_TRUE(run.ok()) << run.failure().message();
    EXPECT_LT(difference(run.state(run.size() - 1), problem.references.back().state), 100.0 * tolerance);
    EXPECT_LT(run.certificate().position, 1e-14);
    EXPECT_NEAR(run.certificate().condition, 1.0, 1e-12);  // each species has an equation of its own
  }
}

// Radau IIA with three stages has order 5, on patterns as well: 4.7 and 5.0 are observed.
TEST(Sparse, FixedStepsHaveTheirOrder) {
  const auto problem = testset::problem("reaction_diffusion_50");
  Vector errors;
  for (const std::size_t steps : {40, 80, 160}) {
    const Solution run = solve(problem.equations, problem.start,
                               {.span = {0.0, 2.0}, .steps = steps, .method = {.tableau = radau_iia(3)}});
    ASSERT_TRUE(run.ok()) << run.failure().message();
    errors.push_back(difference(run.state(run.size() - 1), problem.references.front().state));
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const double order = std::log2(errors[k] / errors[k + 1]);
    EXPECT_GT(order, 4.5);
    EXPECT_LT(order, 5.3);
  }
}

// A dense matrix would need 3.2 GB; a polynomial of every step is not kept unless one asks for it.
TEST(Sparse, LargeProblemsTakeLinearMemory) {
  const MemoryLimit limit(std::size_t{200} << 20);
  const std::size_t cells = 10'050;
  const Solution run = solve(testset::reaction_diffusion(cells), testset::reaction_diffusion_start(cells),
                             {.span = {0.0, 1e-4}, .keep_every = 1000});
  ASSERT_TRUE(run.ok()) << run.failure().message();
  EXPECT_THROW(run.at(5e-5), Misuse);
}

// y_i' = -1 - small coupling, 0 = z_i^2 - y_i: z_i has no derivative where y_i = 0.
struct Vanishing {
  std::size_t n;
  void F(auto y, auto z, auto, auto out) const {
    for (std::size_t i = 0; i < n; ++i) out[i] = -1.0 - 1e-3 * (y[i] - y[(i + 1) % n]) + 0.0 * z[i];
  }
  void G(auto y, auto z, auto, auto out) const {
    for (std::size_t i = 0; i < n; ++i) out[i] = z[i] * z[i] - y[i];
  }
};

TEST(Sparse, SeesWhereTheIndexIsLost) {
  const std::size_t n = 60;
  for (const LinearKernel kernel : {LinearKernel::dense, LinearKernel::sparse}) {
    const ForcedKernel forced(kernel);
    const Equations equations = partitioned(Vanishing{n}, {.y = n, .z = n});
    Vector start(2 * n, 1.0);
    for (std::size_t i = 0; i < n; ++i) {
      start[i] = 1.0 + 0.2 * static_cast<double>(i % 7);
      start[n + i] = std::sqrt(start[i]);
    }
    const IndexReport here = check_index(equations, 0.0, start);
    EXPECT_TRUE(here.satisfied) << here.verdict;
    EXPECT_EQ(here.rank, n);
    EXPECT_NEAR(here.condition, 1.0, 1e-12);
    const Solution run = solve(equations, start, {.span = {0.0, 2.0}});
    ASSERT_FALSE(run.ok());
    EXPECT_NEAR(run.failure().time, 1.0, 2e-2) << run.failure().message();
    start[3] = start[n + 3] = 0.0;
    const IndexReport there = check_index(equations, 0.0, start);
    EXPECT_FALSE(there.satisfied) << there.verdict;
  }
}

// Plain equations need no algebra: explicit steps until they turn out to be stiff.
struct Diffusion {
  std::size_t n;
  void f(auto x, auto, auto out) const {
    const double k = static_cast<double>(n) * static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) out[i] += k * (x[i - 1] - x[i]);
      if (i + 1 < n) out[i] += k * (x[i + 1] - x[i]);
    }
  }
};

TEST(Sparse, PlainEquationsTurnImplicitWhereTheyAreStiff) {
  const std::size_t n = 1200;
  const Equations equations = index1(Diffusion{n}, {.projector = ConstantMatrix::identity(n)});
  Vector start(n);
  const auto mode = [&](std::size_t i) { return std::cos(M_PI * (static_cast<double>(i) + 0.5) / n); };
  for (std::size_t i = 0; i < n; ++i) start[i] = mode(i);
  const Solution run = solve(equations, start, {.span = {0.0, 0.1}, .tolerance = {1e-6, 1e-8}});
  ASSERT_TRUE(run.ok()) << run.failure().message();
  EXPECT_EQ(run.statistics().turned_implicit, 1u);
  EXPECT_LT(run.statistics().steps, 200u);
  // An eigenvector of the difference operator: exp(-4 n^2 sin^2(pi / 2n) t).
  const double s = 2.0 * n * std::sin(M_PI / (2.0 * n)), factor = std::exp(-s * s * 0.1);
  for (std::size_t i = 0; i < n; i += 100) EXPECT_NEAR(run.state(run.size() - 1)[i], factor * mode(i), 1e-6);
}

// Stiffness is seen at the first step that goes beyond the stability limit; where the steps that are left at the limit
// cost less than some implicit ones, as for the Brusselator, they are taken.
TEST(Sparse, ManyUnknownsTurnImplicitAtOnceIfItPays) {
  for (const double tolerance : {1e-3, 1e-6}) {
    const Tolerance both{tolerance, tolerance};
    const Solution heat =
        solve(testset::heat_grid(32), testset::heat_grid_at(32, 0.0), {.span = {0.0, 10.0}, .tolerance = both});
    ASSERT_TRUE(heat.ok()) << heat.failure().message();
    EXPECT_EQ(heat.statistics().turned_implicit, 1u) << tolerance;
    EXPECT_LE(heat.statistics().explicit_steps, 4u) << tolerance;
    EXPECT_LT(difference(heat.state(heat.size() - 1), testset::heat_grid_at(32, 10.0)), 10.0 * tolerance);
    const Solution reaction = solve(testset::brusselator_grid(50), testset::brusselator_grid_start(50),
                                    {.span = {0.0, 1.0}, .tolerance = both});
    EXPECT_EQ(reaction.statistics().turned_implicit, 0u) << tolerance;
  }
}

// Where f compares unknowns, another branch may depend on others: nothing is taken for zero.
struct Branching {
  std::size_t n;
  void f(auto x, auto, auto out) const {
    for (std::size_t i = 0; i < n; ++i) out[i] = x[i] > 100.0 ? x[0] * x[i] : -1.0 * x[i];
  }
};

TEST(Sparse, BranchesAreNotTraced) {
  const Equations equations = index1(Branching{50}, {.projector = ConstantMatrix::identity(50)});
  EXPECT_EQ(std::get<Index1>(equations).functions().pattern(), nullptr);
  EXPECT_TRUE(std::get<Index1>(equations).pattern().is_full());
}

}  // namespace
}  // namespace driftless::sparse_test
