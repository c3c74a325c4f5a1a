// Index 2 on patterns: sparse and dense kernels give the same runs, with the same orders, without drift; a flow whose
// pressure is fixed up to a constant has one redundant constraint.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "driftless/equations/index_check.h"
#include "driftless/equations/manifold.h"
#include "driftless/linalg/linear_system.h"
#include "tests/unit/integrate/sparse_runs.h"
#include "testset/problem.h"

namespace driftless::sparse_index2_test {
namespace {

// With fixed steps, so that rounding decides nothing. Patterns are found when equations are made.
Solution forced_run_of_index2(LinearKernel kernel, const std::string& name, const Tableau& tableau) {
  const ForcedKernel forced(kernel);
  const auto problem = testset::problem(name);
  return solve(problem.equations, problem.start,
               {.span = {problem.begin, problem.references.back().time},
                .steps = 200,
                .method = {.tableau = tableau},
                .keep_every = 200});
}

TEST(SparseIndex2, AgreesWithDenseOnEveryReferenceProblem) {
  int seen = 0;
  for (const std::string& name : testset::problem_names()) {
    const auto problem = testset::problem(name);
    if (!std::holds_alternative<Index2>(problem.equations) || problem.references.empty()) continue;
    for (const Tableau& tableau : {radau_iia(3), hem4()}) {
      const Solution sparse = forced_run_of_index2(LinearKernel::sparse, name, tableau);
      const Solution dense = forced_run_of_index2(LinearKernel::dense, name, tableau);
      ASSERT_EQ(sparse.ok(), dense.ok()) << name << ", " << tableau.name;
      if (!dense.ok()) continue;
      // Chaos makes as much of the last bit.
      const double bound = name.starts_with("lorenz") ? 1e-4 : 1e-11;
      EXPECT_LT(difference(sparse.state(sparse.size() - 1), dense.state(dense.size() - 1)), bound)
          << name << ", " << tableau.name;
      ++seen;
    }
  }
  EXPECT_GE(seen, 6);
}

// Stokes flow on n x n periodic cells of a staggered grid: velocities on the faces, pressures inside,
//     u' = nu Lap u - grad p,   0 = div u.
struct Stokes {
  std::size_t n;
  double nu;

  std::size_t at(std::size_t i, std::size_t j) const { return (i % n) + n * (j % n); }
  double width() const { return 2.0 * M_PI / static_cast<double>(n); }
  void f(auto u, auto p, auto, auto out) const {
    const double k = nu / (width() * width()), d = 1.0 / width();
    for (const std::size_t part : {std::size_t{0}, n * n})
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i)
          out[part + at(i, j)] = k * (u[part + at(i + 1, j)] + u[part + at(i + n - 1, j)] + u[part + at(i, j + 1)] +
                                      u[part + at(i, j + n - 1)] - 4.0 * u[part + at(i, j)]);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        out[at(i, j)] -= d * (p[at(i, j)] - p[at(i + n - 1, j)]);
        out[n * n + at(i, j)] -= d * (p[at(i, j)] - p[at(i, j + n - 1)]);
      }
  }
  void g(auto u, auto, auto out) const {
    const double d = 1.0 / width();
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i)
        out[at(i, j)] = d * (u[at(i + 1, j)] - u[at(i, j)] + u[n * n + at(i, j + 1)] - u[n * n + at(i, j)]);
  }
  Equations equations() const { return index2(*this, {.u = 2 * n * n, .lambda = n * n}); }
  // An eigenvector of the difference operator without divergence; it decays like exp(-nu k t).
  Vector vortices() const {
    Vector u(2 * n * n);
    const double h = width();
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        const double x = h * static_cast<double>(i), y = h * static_cast<double>(j);
        u[at(i, j)] = std::sin(x) * std::cos(y + 0.5 * h);
        u[n * n + at(i, j)] = -std::cos(x + 0.5 * h) * std::sin(y);
      }
    return u;
  }
  double decay(double t) const {
    const double s = 2.0 / width() * std::sin(0.5 * width());
    return std::exp(-2.0 * nu * s * s * t);
  }
};

double error_of(const Stokes& flow, const Solution& run, double t) {
  const Vector exact = flow.vortices();
  double worst = 0.0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    worst = std::max(worst, std::abs(run.state(run.size() - 1)[i] - flow.decay(t) * exact[i]));
  return worst;
}

TEST(SparseIndex2, OneRedundantConstraintOfAFlowIsFound) {
  const Stokes flow{12, 0.1};
  const Equations equations = flow.equations();
  ASSERT_NE(std::get<Index2>(equations).functions().patterns(), nullptr);
  ASSERT_TRUE(make_manifold(equations)->is_sparse());
  Vector state = flow.vortices();
  state.resize(3 * 144, 0.0);
  const IndexReport report = check_index(equations, 0.0, state);
  EXPECT_EQ(report.rank, 143u);
  EXPECT_EQ(report.redundant.size(), 1u) << report.verdict;
  EXPECT_TRUE(report.multiplier_found);
}

struct Products {
  bool in_f, in_g, in_gamma;

  void f(auto u, auto lambda, auto, auto out) const {
    out[0] = u[1];
    out[1] = in_f ? u[0] * lambda[0] : lambda[0] + u[0];
  }
  void g(auto u, auto, auto out) const { out[0] = in_g ? u[0] * u[1] : u[0] + 2.0 * u[1]; }
  void gamma(auto u, auto, auto out) const {
    out(0, 0) = 1.0;
    out(1, 1) = 2.0;
    if (in_gamma) out(1, 1) += u[0] * u[0];
  }
};

// Where derivatives are the same everywhere, they are evaluated once; nowhere else.
TEST(SparseIndex2, KnowsWhichDerivativesAreConstant) {
  const ForcedKernel forced(LinearKernel::sparse);
  for (const bool in_f : {false, true})
    for (const bool in_g : {false, true})
      for (const bool in_gamma : {false, true}) {
        const Index2 form = index2(Products{in_f, in_g, in_gamma}, {.u = 2, .lambda = 1});
        const auto* const patterns = form.functions().patterns();
        ASSERT_NE(patterns, nullptr);
        EXPECT_EQ(patterns->constant_f_lambda, !in_f);
        EXPECT_EQ(patterns->constant_g, !in_g);
        EXPECT_EQ(patterns->constant_gamma, !in_gamma);
      }
  const Stokes flow{4, 0.1};
  const Equations equations = flow.equations();
  const auto* const patterns = std::get<Index2>(equations).functions().patterns();
  EXPECT_TRUE(patterns->constant_f_lambda && patterns->constant_g && patterns->constant_gamma);
}

// A rough start is made free of divergence by the smallest change, and runs end on the constraint and its derivative.
TEST(SparseIndex2, FlowsRunWithoutDrift) {
  const Stokes flow{12, 0.1};
  Vector start = flow.vortices();
  start[7] += 0.3;
  for (const AdaptiveMethod method : {AdaptiveMethod::radau, AdaptiveMethod::automatic}) {
    const SolveOptions options{.span = {0.0, 2.0}, .adaptive = method, .tolerance = {1e-8, 1e-8}};
    const Solution run = solve(flow.equations(), start, options);
    ASSERT_TRUE(run.ok()) << run.failure().message();
    EXPECT_LT(run.certificate().position, 1e-13);
    EXPECT_LT(run.certificate().velocity, 1e-12);
    const Solution exact = solve(flow.equations(), flow.vortices(), options);
    EXPECT_LT(error_of(flow, exact, 2.0), 1e-6);
  }
}

// Radau IIA with three stages has order 5 in u.
TEST(SparseIndex2, FixedStepsHaveTheirOrder) {
  const Stokes flow{8, 1.0};
  Vector errors;
  for (const std::size_t steps : {4, 8, 16}) {
    const Solution run = solve(flow.equations(), flow.vortices(),
                               {.span = {0.0, 2.0}, .steps = steps, .method = {.tableau = radau_iia(3)}});
    ASSERT_TRUE(run.ok()) << run.failure().message();
    errors.push_back(error_of(flow, run, 2.0));
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const double order = std::log2(errors[k] / errors[k + 1]);
    EXPECT_GT(order, 4.5);
    EXPECT_LT(order, 5.5);
  }
}

}  // namespace
}  // namespace driftless::sparse_index2_test
