// Heat conduction in flux form on meshes: against the reference problem, and contraction on meshes of every kind.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "driftless/analysis/stability/lipschitz_constants.h"
#include "driftless/core/failure.h"
#include "driftless/heat/heat_stepper.h"
#include "driftless/integrate/solve.h"
#include "testset/generators.h"
#include "testset/problem.h"

namespace driftless {
namespace {

// psi(q) = q^2/2 + q^4/4, as in testset/heat_flux_mol.cpp.
struct Quartic {
  template <class T>
  T operator()(const T& q, double, double) const {
    return 0.5 * q * q + 0.25 * q * q * q * q;
  }
};

// H(v) = k(x, y) (sqrt(1 + v^2) - 1): convex, with a flux that saturates, and a material that changes.
struct Saturating {
  template <class T>
  T operator()(const T& v, double x, double y) const {
    using std::sqrt;
    return (1.0 + 0.5 * std::sin(5.0 * x) * std::cos(3.0 * y)) * (sqrt(1.0 + v * v) - 1.0);
  }
};

HeatProblem quartic_interval(std::size_t n) {
  return {.mesh = interval_mesh(uniform_edges(n)), .law = flux_of_dissipation(Quartic{})};
}

TEST(HeatProblem, IsTheReferenceProblemOnAnInterval) {
  const HeatProblem problem = quartic_interval(10);
  EXPECT_EQ(problem.unknowns(), 19u);
  const Index1 ours = as_index1(problem), theirs = std::get<Index1>(testset::heat_flux_mol(10));
  const Vector start = testset::heat_flux_mol_start(10);
  const Vector state = consistent_state(problem, ConstSpan(start).subspan(0, 10));
  for (std::size_t i = 0; i < 19; ++i) EXPECT_NEAR(state[i], start[i], 1e-14);
  Vector f(19), g(19), x = start;
  for (std::size_t i = 0; i < 19; ++i) x[i] += 0.1 * std::sin(static_cast<double>(i));
  ours.functions().f(x, 0.0, f);
  theirs.functions().f(x, 0.0, g);
  Matrix j(19, 20), k(19, 20);
  ours.functions().f_jacobian(x, 0.0, j);
  theirs.functions().f_jacobian(x, 0.0, k);
  for (std::size_t i = 0; i < 19; ++i) {
    EXPECT_NEAR(f[i], g[i], 1e-12);
    for (std::size_t c = 0; c < 20; ++c) EXPECT_NEAR(j(i, c), k(i, c), 1e-12);
  }
}

// Both solvers, one to five stages, against the digits of the reference problem and against the dense stepper.
TEST(HeatStepper, ReachesTheReference) {
  const auto reference = testset::problem("heat_flux_mol_10");
  const HeatProblem problem = quartic_interval(10);
  for (const HeatSolver solver : {HeatSolver::cholesky, HeatSolver::lu})
    for (const int stages : {3, 5}) {
      HeatStepper stepper(problem, {.stages = stages, .solver = solver, .newton = 1e-14});
      Vector state = reference.start;
      const std::size_t steps = stages == 3 ? 200 : 100;
      for (std::size_t n = 0; n < steps; ++n)
        ASSERT_FALSE(stepper.step(0.1 * static_cast<double>(n) / static_cast<double>(steps),
                                  0.1 / static_cast<double>(steps), state));
      double worst = 0.0;
      for (std::size_t i = 0; i < state.size(); ++i)
        worst = std::max(worst, std::abs(state[i] - reference.references[0].state[i]));
      EXPECT_LT(worst, stages == 3 ? 1e-7 : 1e-9) << stages;
      EXPECT_EQ(stepper.statistics().steps, steps);
      EXPECT_LT(stepper.statistics().matrices, steps);  // they are kept from step to step
      EXPECT_GT(stepper.statistics().bytes, 0u);
    }
}

TEST(HeatStepper, AgreesWithTheDenseStepper) {
  const HeatProblem problem{.mesh = rectangle_mesh(graded_edges(4, 3.0), uniform_edges(3)),
                            .law = flux_of_potential(Saturating{}),
                            .source = [](double t, Span s) { std::fill(s.begin(), s.end(), std::cos(t)); }};
  Vector theta(12);
  for (std::size_t i = 0; i < 12; ++i) theta[i] = 0.1 * std::sin(1.7 * static_cast<double>(i));
  const Vector start = consistent_state(problem, theta);
  for (const int stages : {1, 3}) {
    HeatStepper stepper(problem, {.stages = stages, .newton = 1e-14});
    Vector state = start;
    for (int n = 0; n < 5; ++n) ASSERT_FALSE(stepper.step(0.02 * n, 0.02, state));
    const Solution dense =
        solve(as_index1(problem), start, {.span = {0.0, 0.1}, .steps = 5, .method = {.tableau = radau_iia(stages)}});
    ASSERT_TRUE(dense.ok()) << dense.failure().message();
    for (std::size_t i = 0; i < state.size(); ++i)
      EXPECT_NEAR(state[i], dense.state(dense.size() - 1)[i], 1e-11) << stages << ' ' << i;
  }
}

TEST(HeatContraction, HoldsInEveryStepOnEveryMesh) {
  const Vector fine = graded_edges(12, 8.0), coarse = uniform_edges(7);
  HeatMesh with_wall = rectangle_mesh(fine, coarse);
  add_left_wall(with_wall, fine, coarse, 0.5);
  HeatMesh unordered = with_wall;  // any mesh: cells in no particular order, elimination order found by the solver
  unordered.order.clear();
  struct Case {
    const char* name;
    HeatMesh mesh;
  };
  for (const Case& c : {Case{"interval", interval_mesh(fine)}, Case{"rectangle", rectangle_mesh(fine, coarse)},
                        Case{"with a wall", with_wall}, Case{"unordered", unordered}})
    for (const auto& law : {flux_of_dissipation(Quartic{}), flux_of_potential(Saturating{})})
      for (const int stages : {1, 2, 3, 5}) {
        SCOPED_TRACE(fmt::format("{}, {} stages", c.name, stages));
        HeatProblem problem{.mesh = c.mesh, .law = law};
        problem.heat_capacity.assign(problem.cells(), 1.0);
        for (std::size_t i = 0; i < problem.cells(); i += 3) problem.heat_capacity[i] = 2.5;
        Vector one(problem.cells()), two(problem.cells());
        for (std::size_t i = 0; i < one.size(); ++i) {
          one[i] = std::cos(6.0 * problem.mesh.x[i]) + problem.mesh.y[i];
          two[i] = std::exp(-5.0 * problem.mesh.x[i]);
        }
        const HeatContraction run =
            heat_contraction(problem, one, two, {.method = {.stages = stages}, .h = 0.02, .steps = 12});
        EXPECT_TRUE(run.contractive);
        EXPECT_LT(run.largest_quotient, 1.0);
        EXPECT_LT(run.distance.back(), 0.9 * run.distance.front());
      }
}

// A law without convexity conducts heat from cold to warm: solutions part.
TEST(HeatContraction, DoesNotHoldWithoutConvexity) {
  struct Backwards {
    Taylor<double> operator()(const Taylor<double>& v, double, double) const { return -0.01 * v * v; }
  };
  const HeatProblem problem{.mesh = interval_mesh(uniform_edges(8)), .law = flux_of_potential(Backwards{})};
  Vector one(8, 0.0), two(8);
  for (std::size_t i = 0; i < 8; ++i) two[i] = i % 2 == 0 ? 1.0 : -1.0;
  const HeatContraction run =
      heat_contraction(problem, one, two, {.method = {.solver = HeatSolver::lu}, .h = 0.01, .steps = 3});
  EXPECT_FALSE(run.contractive);
  EXPECT_GT(run.largest_quotient, 1.0);
}

// The weights of the discrete norm make M_P = 0, whatever the mesh and the capacities: Example 4.1.
TEST(HeatContraction, IsWhatTheReducedConstantSays) {
  HeatProblem problem{.mesh = interval_mesh(graded_edges(6, 4.0)), .law = flux_of_potential(Saturating{})};
  problem.heat_capacity = {1.0, 2.0, 3.0, 1.0, 0.5, 4.0};
  const Index1 form = as_index1(problem);
  const Box box = box_around(Vector(11, 0.0), Vector(11, 2.0));
  const LipschitzConstant c =
      sampled_constant(form, box, Quantity::reduced, {.norm = contraction_norm(problem), .sampling = {.points = 100}});
  EXPECT_NEAR(c.sampled, 0.0, 1e-10);
  const LipschitzConstant plain = sampled_constant(form, box, Quantity::reduced, {.sampling = {.points = 100}});
  EXPECT_GT(plain.sampled, 1.0);  // the unweighted norm does not see it
}

TEST(HeatLaw, IsSolvedToRounding) {
  const auto law = flux_of_dissipation(Quartic{});
  const std::size_t n = 1001;
  const std::vector<HeatFace> faces(n);
  for (const double start : {0.0, 1e-3, -7.0, 1e6}) {
    Vector v(n), q(n, start), conductivity(n);
    for (std::size_t k = 0; k < n; ++k)
      v[k] = 1e-9 * std::pow(1e12, static_cast<double>(k) / 1000.0) * (k % 2 ? 1 : -1);
    ASSERT_TRUE(law->solve(faces, v, q, conductivity));
    for (std::size_t k = 0; k < n; ++k) {
      // q + q^3 = -v
      EXPECT_NEAR(q[k] + q[k] * q[k] * q[k], -v[k], 4e-16 * std::abs(v[k]) * 4.0) << start << " " << v[k];
      EXPECT_NEAR(conductivity[k], 1.0 / (1.0 + 3.0 * q[k] * q[k]), 1e-6) << start << " " << v[k];
    }
  }
}

TEST(HeatMesh, NestedDissectionIsAPermutationAndSavesFill) {
  const auto order = nested_dissection_order(13, 9);
  std::vector<bool> seen(117, false);
  for (const auto cell : order) seen[cell] = true;
  EXPECT_EQ(order.size(), 117u);
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](bool b) { return b; }));

  HeatProblem problem{.mesh = rectangle_mesh(uniform_edges(40), uniform_edges(40)),
                      .law = flux_of_dissipation(Quartic{})};
  const auto fill = [&] {
    HeatStepper stepper(problem, {.solver = HeatSolver::cholesky});
    Vector state = consistent_state(problem, problem.mesh.x);
    EXPECT_FALSE(stepper.step(0.0, 0.01, state));
    return stepper.statistics().linear.factor_entries;
  };
  const std::size_t dissected = fill();
  std::iota(problem.mesh.order.begin(), problem.mesh.order.end(), 0u);  // row by row
  EXPECT_LT(dissected, fill() * 6 / 10);
}

TEST(HeatMesh, RefusesWhatIsNoMesh) {
  EXPECT_THROW(interval_mesh({0.0}), Misuse);
  EXPECT_THROW(interval_mesh({0.0, 1.0, 1.0}), Misuse);
  HeatProblem problem = quartic_interval(3);
  problem.mesh.faces[0].right = 7;
  EXPECT_THROW(HeatStepper(problem, {}), Misuse);
  EXPECT_THROW(consistent_state(quartic_interval(3), Vector(2)), Misuse);
}

}  // namespace
}  // namespace driftless
