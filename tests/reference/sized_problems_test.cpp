// Members of the families of any size against their references and closed forms, redundant constraint included.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "driftless/equations/manifold.h"
#include "driftless/integrate/solve.h"
#include "driftless/linalg/linear_system.h"
#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"
#include "driftless/step/sparse_mechanical.h"
#include "testset/catalogue.h"
#include "testset/generators.h"

namespace driftless::testset::sized_problems_test {
namespace {

double distance(ConstSpan a, const Vector& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < b.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

// Errors at the end stay within 100 tolerances, and the tolerance is of use: loose ones give larger errors.
void expect_references(const Problem& p) {
  for (const Reference& reference : p.references) {
    const auto error = [&](double tolerance) {
      const Solution run =
          solve(p.equations, p.start,
                {.span = {p.begin, reference.time}, .tolerance = {.relative = tolerance, .absolute = tolerance}});
      EXPECT_TRUE(run.ok());
      return distance(run.state(run.size() - 1), reference.state);
    };
    EXPECT_LE(error(1e-4), 1e-2);
    EXPECT_LE(error(1e-9), 1e-7);
  }
}

TEST(SizedProblems, BrusselatorReachesItsReferences) { expect_references(brusselator_grid_problem(6)); }
TEST(SizedProblems, DiodesReachTheirReferences) { expect_references(diode_grid_problem(5)); }
TEST(SizedProblems, HeatReachesItsClosedForm) {
  expect_references(heat_grid_problem(6));
  expect_references(heat_grid_problem(20));
}

// Factors of two-dimensional problems serve several steps, at the same error.
TEST(SizedProblems, DearFactorsServeSeveralSteps) {
  const Problem p = brusselator_grid_problem(30);
  const auto run = [&](double tolerance) {
    return solve(p.equations, p.start,
                 {.span = {p.begin, 4.0},
                  .adaptive = AdaptiveMethod::radau,
                  .tolerance = {.relative = tolerance, .absolute = tolerance}});
  };
  const Solution coarse = run(1e-6), fine = run(1e-9);
  ASSERT_TRUE(coarse.ok() && fine.ok());
  const Statistics& s = coarse.statistics();
  EXPECT_LT(2 * s.factorisations, s.steps);
  const Vector end(fine.state(fine.size() - 1).begin(), fine.state(fine.size() - 1).end());
  EXPECT_LE(distance(coarse.state(coarse.size() - 1), end), 1e-4);
}

// The closed form is a solution: started on it, a run stays on it, pressure of mean 0 included.
TEST(SizedProblems, VorticesKeepTheirClosedForm) {
  for (const std::size_t n : {4, 7}) expect_references(taylor_green_problem(n));
}

// Pendulums joined by springs, in a medium that turns their reactions, which makes it the general form of index 3.
const char* const pendulums = R"(model Pendulums
  parameter Integer n = 30;
  Real x[n](each start = 1, each fixed = true), y[n](each start = 0);
  Real vx[n], vy[n](each start = 0, each fixed = true), T[n];
equation
  for i in 1:n loop
    der(x[i]) = (1 + 0.1 * sin(time)) * vx[i];
    der(y[i]) = (1 + 0.1 * sin(time)) * vy[i];
    der(vx[i]) = -T[i] * x[i] * (1 + 0.1 * vx[i]^2) + (if i > 1 then x[max(1, i - 1)] - x[i] else 0);
    der(vy[i]) = -T[i] * y[i] - 1;
    x[i]^2 + y[i]^2 = 1;
  end for;
  annotation(experiment(StopTime = 1));
end Pendulums;
)";

TEST(SizedProblems, TextOfIndex3IsSparseAndAgreesWithWholeMatrices) {
  for (const AdaptiveMethod method : {AdaptiveMethod::radau, AdaptiveMethod::dop853}) {
    Vector ends[2];
    for (const LinearKernel kernel : {LinearKernel::dense, LinearKernel::sparse}) {
      const ForcedKernel forced(kernel);
      const bool sparse = kernel == LinearKernel::sparse;
      const TextModel model({"pendulums.mo", pendulums});
      const Start start = model.start(0.0);
      const auto& equations = start.stretch.equations;
      ASSERT_TRUE(std::holds_alternative<Index3>(equations));
      EXPECT_EQ(make_manifold(equations)->is_sparse(), sparse);
      const Solution run =
          solve(equations, start.stretch.start, {.span = {0.0, 1.0}, .adaptive = method, .tolerance = {1e-10, 1e-10}});
      ASSERT_TRUE(run.ok()) << run.failure().message();
      EXPECT_LT(run.certificate().velocity, 1e-13);
      ends[sparse].assign(run.state(run.size() - 1).begin(), run.state(run.size() - 1).end());
    }
    EXPECT_LT(distance(ends[1], ends[0]), 1e-8);
  }
}

// The net as a model file, with derivatives from its formulas, beside the one in C++, with traced ones: implicit steps
// on both levels that are sparse, and explicit ones.
TEST(SizedProblems, NetOfRodsIsTheSameAsTextAndInCpp) {
  const std::size_t n = 5;
  std::ifstream in(DRIFTLESS_SOURCE_DIR "/examples/models/large/rod_net.mo");
  std::ostringstream text;
  text << in.rdbuf();
  const TextModel model({"rod_net.mo", text.str()}, {{"n", std::to_string(n)}});
  const Equations equations = rod_net(n);
  ASSERT_TRUE(SparseMechanicalStage::suits(std::get<Mechanical>(equations)));
  for (const auto& [method, level] : {std::pair{AdaptiveMethod::radau, ConstraintLevel::acceleration},
                                      std::pair{AdaptiveMethod::radau, ConstraintLevel::position},
                                      std::pair{AdaptiveMethod::dop853, ConstraintLevel::acceleration}}) {
    SolveOptions options{.span = {0.0, 0.5}, .adaptive = method, .tolerance = {1e-9, 1e-9}};
    if (method == AdaptiveMethod::radau) options.radau.level = level;
    const Solution run = solve(equations, rod_net_start(n), options);
    const Simulation read = simulate(model, {.solve = options});
    ASSERT_TRUE(run.ok() && read.ok());
    EXPECT_LT(read.certificate.position, 1e-13);
    const ConstSpan end = run.state(run.size() - 1);
    const Names& names = layout_of(equations).names();
    for (std::size_t k = 0; k < 3 * n * n; ++k) EXPECT_NEAR(read.final(names[k]), end[k], 1e-7) << names[k];
    for (std::size_t k = 6 * n * n; k < end.size(); ++k)
      EXPECT_NEAR(read.final(names[k]), end[k], 1e-5 * std::max(1.0, std::abs(end[k]))) << names[k];
  }
}

}  // namespace
}  // namespace driftless::testset::sized_problems_test
