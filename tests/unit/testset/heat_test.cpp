// Heat conduction in flux form on meshes: against the reference problem, and contraction on meshes of every kind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "driftless/analysis/stability/contraction.h"
#include "driftless/analysis/stability/lipschitz_constants.h"
#include "driftless/core/failure.h"
#include "driftless/integrate/solve.h"
#include "testset/generators.h"
#include "testset/heat/heat_problem.h"
#include "testset/problem.h"

namespace driftless::testset::heat_test {
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

// Conducts heat from cold to warm.
struct Backwards {
  Taylor<double> operator()(const Taylor<double>& v, double, double) const { return -0.01 * v * v; }
};

Contraction contraction_of(const HeatProblem& problem, ConstSpan one, ConstSpan two, int stages, double h,
                           std::size_t steps) {
  const Vector capacity = capacities(problem);
  return measure_contraction(as_index1(problem), consistent_state(problem, one), consistent_state(problem, two),
                             [&](ConstSpan difference) { return heat_norm(capacity, difference); },
                             {.method = {.tableau = radau_iia(stages)}, .h = h, .steps = steps});
}

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

// Factorised and iterated systems, fixed and adaptive steps, against the digits of the reference problem.
TEST(HeatSystems, ReachTheReference) {
  const auto reference = testset::problem("heat_flux_mol_10");
  const Vector& end = reference.references[0].state;
  const auto distance = [&](const Solution& run) {
    double worst = 0.0;
    for (std::size_t i = 0; i < end.size(); ++i)
      worst = std::max(worst, std::abs(run.state(run.size() - 1)[i] - end[i]));
    return worst;
  };
  for (const HeatSystems systems : {HeatSystems::factorised, HeatSystems::iterated}) {
    const Index1 form = as_index1(quartic_interval(10), systems);
    for (const int stages : {3, 5}) {
      const Solution run = solve(form, reference.start,
                                 {.span = {0.0, reference.references[0].time},
                                  .steps = stages == 3 ? 200 : 100,
                                  .method = {.tableau = radau_iia(stages)},
                                  .newton = {.relative = 1e-13, .absolute = 1e-13, .damped = true}});
      ASSERT_TRUE(run.ok()) << run.failure().message();
      EXPECT_LT(distance(run), stages == 3 ? 1e-7 : 1e-9) << stages;
    }
    const Solution adaptive = solve(form, reference.start,
                                    {.span = {0.0, reference.references[0].time},
                                     .adaptive = AdaptiveMethod::radau,
                                     .tolerance = {.relative = 1e-8, .absolute = 1e-8}});
    ASSERT_TRUE(adaptive.ok()) << adaptive.failure().message();
    EXPECT_LT(distance(adaptive), 1e-6);
  }
}

// The same steps, whichever way the systems are solved: a mesh with three coarser ones, a source, a wall.
TEST(HeatSystems, DoNotChangeTheSteps) {
  const Vector x = graded_edges(36, 3.0), y = uniform_edges(20);
  HeatProblem problem{.mesh = rectangle_mesh(x, y),
                      .law = flux_of_potential(Saturating{}),
                      .source = [](double t, Span s) { std::fill(s.begin(), s.end(), std::cos(t)); }};
  add_left_wall(problem.mesh, x, y, 0.5);
  Vector theta(problem.cells());
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = 0.1 * std::sin(0.017 * static_cast<double>(i));
  const Vector start = consistent_state(problem, theta);
  for (const Tableau& tableau : {radau_iia(1), radau_iia(3), radau_iia(5), sdirk2()}) {
    std::vector<Vector> ends;
    for (const HeatSystems systems : {HeatSystems::factorised, HeatSystems::iterated}) {
      const Solution run = solve(as_index1(problem, systems), start,
                                 {.span = {0.0, 0.1},
                                  .steps = 5,
                                  .method = {.tableau = tableau},
                                  .newton = {.relative = 1e-13, .absolute = 1e-13, .damped = true}});
      ASSERT_TRUE(run.ok()) << run.failure().message();
      const ConstSpan end = run.state(run.size() - 1);
      ends.emplace_back(end.begin(), end.end());
    }
    // Fluxes follow from differences of temperatures over small distances.
    for (std::size_t i = 0; i < ends[0].size(); ++i)
      EXPECT_NEAR(ends[0][i], ends[1][i], i < problem.cells() ? 1e-12 : 1e-10) << tableau.name << ' ' << i;
  }
}

// Conductivities that are not positive leave no inverse: a step says so, and at which cell.
TEST(HeatSystems, NameACellWithoutAnInverse) {
  const HeatProblem problem{.mesh = interval_mesh(uniform_edges(30)), .law = flux_of_potential(Backwards{})};
  const Index1 form = as_index1(problem, HeatSystems::iterated);
  const Solution run = solve(form, consistent_state(problem, problem.mesh.x),
                             {.span = {0.0, 1.0}, .steps = 1, .method = {.tableau = radau_iia(1)}});
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.failure().kind, FailureKind::singular_matrix);
  EXPECT_EQ(run.failure().where.substr(0, 5), "theta");
}

TEST(HeatContraction, HoldsInEveryStepOnEveryMesh) {
  const Vector fine = graded_edges(12, 8.0), coarse = uniform_edges(7);
  HeatMesh with_wall = rectangle_mesh(fine, coarse);
  add_left_wall(with_wall, fine, coarse, 0.5);
  struct Case {
    const char* name;
    HeatMesh mesh;
  };
  for (const Case& c : {Case{"interval", interval_mesh(fine)}, Case{"rectangle", rectangle_mesh(fine, coarse)},
                        Case{"with a wall", with_wall}})
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
        const Contraction run = contraction_of(problem, one, two, stages, 0.02, 12);
        EXPECT_TRUE(run.contractive);
        EXPECT_LT(run.largest_quotient, 1.0);
        EXPECT_LT(run.distance.back(), 0.9 * run.distance.front());
      }
}

// A law without convexity conducts heat from cold to warm: solutions part.
TEST(HeatContraction, DoesNotHoldWithoutConvexity) {
  const HeatProblem problem{.mesh = interval_mesh(uniform_edges(8)), .law = flux_of_potential(Backwards{})};
  Vector one(8, 0.0), two(8);
  for (std::size_t i = 0; i < 8; ++i) two[i] = i % 2 == 0 ? 1.0 : -1.0;
  const Contraction run = contraction_of(problem, one, two, 1, 0.01, 3);
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

TEST(HeatMesh, RefusesWhatIsNoMesh) {
  EXPECT_THROW(interval_mesh({0.0}), Misuse);
  EXPECT_THROW(interval_mesh({0.0, 1.0, 1.0}), Misuse);
  HeatProblem problem = quartic_interval(3);
  problem.mesh.faces[0].right = 7;
  EXPECT_THROW(as_index1(problem), Misuse);
  EXPECT_THROW(consistent_state(quartic_interval(3), Vector(2)), Misuse);
}

}  // namespace
}  // namespace driftless::testset::heat_test
