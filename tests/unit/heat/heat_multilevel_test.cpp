// Cycles over coarser meshes: what the meshes are, how fast they converge, and that steps do not depend on them.
#include "driftless/heat/heat_multilevel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "driftless/heat/heat_stepper.h"

namespace driftless {
namespace {

struct Quartic {
  template <class T>
  T operator()(const T& q, double, double) const {
    return 0.5 * q * q + 0.25 * q * q * q * q;
  }
};

HeatProblem square(std::size_t side) {
  return {.mesh = rectangle_mesh(uniform_edges(side), uniform_edges(side)), .law = flux_of_dissipation(Quartic{})};
}

// Cells in random order, a wall, and spacings that grow eightfold.
HeatProblem shuffled() {
  const Vector x = graded_edges(40, 8.0), y = graded_edges(25, 0.5);
  HeatProblem problem{.mesh = rectangle_mesh(x, y), .law = flux_of_dissipation(Quartic{})};
  add_left_wall(problem.mesh, x, y, 0.5);
  std::vector<std::uint32_t> place(problem.cells());
  std::iota(place.begin(), place.end(), 0u);
  std::shuffle(place.begin(), place.end(), std::mt19937(3));
  HeatMesh mesh = problem.mesh;
  mesh.order.clear();
  for (std::size_t i = 0; i < place.size(); ++i) {
    mesh.volume[place[i]] = problem.mesh.volume[i];
    mesh.x[place[i]] = problem.mesh.x[i];
    mesh.y[place[i]] = problem.mesh.y[i];
  }
  for (HeatFace& face : mesh.faces) {
    face.left = place[face.left];
    if (face.right != no_cell) face.right = place[face.right];
  }
  problem.mesh = std::move(mesh);
  return problem;
}

TEST(HeatHierarchy, JoinsFourCellsAtATime) {
  const HeatProblem problem = square(64);
  const HeatHierarchy hierarchy(problem.mesh, capacities(problem), 1, 3);
  ASSERT_EQ(hierarchy.levels.size(), 4u);
  for (std::size_t l = 0; l < 4; ++l) {
    const HeatLevel& level = hierarchy.levels[l];
    const std::size_t side = 64u >> l;
    EXPECT_EQ(level.cells(), side * side);
    EXPECT_EQ(level.neighbour.size(), 4 * side * (side - 1));
    EXPECT_NEAR(std::accumulate(level.capacity.begin(), level.capacity.end(), 0.0), 1.0, 1e-13);
    if (l == 3) continue;
    for (std::size_t e = 0; e < level.target.size(); ++e)
      if (level.target[e] != HeatLevel::inside) {
        EXPECT_FLOAT_EQ(level.share[e], 0.5f);
      }
  }
}

TEST(HeatHierarchy, IsSymmetricOnAnyMesh) {
  const HeatProblem problem = shuffled();
  const HeatHierarchy hierarchy(problem.mesh, capacities(problem), 10, 3);
  ASSERT_EQ(hierarchy.levels.size(), 4u);
  for (std::size_t l = 0; l < 4; ++l) {
    const HeatLevel& level = hierarchy.levels[l];
    if (l > 0) {
      EXPECT_LT(level.cells(), hierarchy.levels[l - 1].cells() * 4 / 10);
    }
    for (std::uint32_t i = 0; i < level.cells(); ++i)
      for (std::uint32_t e = level.begin[i]; e < level.begin[i + 1]; ++e) {
        const std::uint32_t j = level.neighbour[e];
        EXPECT_EQ(e >= level.after[i], j > i);
        const auto begin = level.neighbour.begin() + level.begin[j], end = level.neighbour.begin() + level.begin[j + 1];
        EXPECT_TRUE(std::binary_search(begin, end, i));
      }
  }
}

// (c C + L) x for these conductivities.
std::vector<std::complex<double>> product(const HeatProblem& problem, ConstSpan conductivity, std::complex<double> c,
                                          const std::vector<std::complex<double>>& x) {
  const Vector capacity = capacities(problem);
  std::vector<std::complex<double>> y;
  for (std::size_t i = 0; i < x.size(); ++i) y.push_back(c * capacity[i] * x[i]);
  for (std::size_t k = 0; k < problem.faces(); ++k) {
    const HeatFace& face = problem.mesh.faces[k];
    const auto right = face.right == no_cell ? 0.0 : x[face.right];
    const auto flow = conductivity[k] * face.area / face.distance * (x[face.left] - right);
    y[face.left] += flow;
    if (face.right != no_cell) y[face.right] -= flow;
  }
  return y;
}

// What is left of a random error after each of some cycles, x -> x - M A x, the worst of the last ones.
double slowest(const HeatProblem& problem, ConstSpan conductivity, std::complex<double> eigenvalue, double h) {
  const bool real = eigenvalue.imag() == 0.0;
  const auto systems = make_multilevel_heat_systems(
      problem, real ? Vector{eigenvalue.real()} : Vector{},
      real ? std::vector<std::complex<double>>{} : std::vector<std::complex<double>>{eigenvalue});
  EXPECT_TRUE(systems->factorise(conductivity, h));
  EXPECT_FALSE(systems->solves_exactly());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<std::complex<double>> x(problem.cells());
  for (auto& value : x) value = {uniform(random), real ? 0.0 : uniform(random)};
  double before = 0.0, worst = 0.0;
  for (int k = 0; k < 6; ++k) {
    const auto r = product(problem, conductivity, eigenvalue / h, x);
    Vector re(x.size()), im(x.size());
    double energy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      re[i] = r[i].real(), im[i] = r[i].imag();
      energy += (std::conj(x[i]) * r[i]).real();
    }
    if (k > 0) worst = std::max(worst, std::sqrt(energy / before));
    before = energy;
    if (real)
      systems->solve_real(0, re);
    else
      systems->solve_complex(0, re, im);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= std::complex<double>(re[i], im[i]);
  }
  return worst;
}

TEST(HeatMultilevel, ConvergesAtARateThatDoesNotDependOnTheMesh) {
  for (const std::size_t side : {24u, 48u, 97u}) {
    const HeatProblem problem = square(side);
    const Vector one(problem.faces(), 1.0);
    for (const double h : {1e-4, 1e2}) {
      EXPECT_LT(slowest(problem, one, 1.0, h), 0.3) << side << " " << h;
      EXPECT_LT(slowest(problem, one, {2.7, 3.05}, h), 0.3) << side << " " << h;
    }
  }
}

// Twenty times more easily in one direction, and in the other half of the square in the other direction.
TEST(HeatMultilevel, ConvergesWhereHeatPrefersADirection) {
  const HeatProblem problem = square(64);
  Vector conductivity;
  for (const HeatFace& face : problem.mesh.faces) {
    const bool across = face.right == face.left + 1;
    conductivity.push_back((face.x < 0.5) == across ? 0.05 : 1.0);
  }
  EXPECT_LT(slowest(problem, conductivity, 1.0, 0.01), 0.6);
}

TEST(HeatMultilevel, ConvergesOnAnyMesh) {
  const HeatProblem problem = shuffled();
  const Vector one(problem.faces(), 1.0);
  EXPECT_LT(slowest(problem, one, 1.0, 0.01), 0.5);
  EXPECT_LT(slowest(problem, one, {2.7, 3.05}, 0.01), 0.5);
}

TEST(HeatMultilevel, RefusesWhatIsNotPositiveDefinite) {
  const HeatProblem problem = square(24);
  const auto systems = make_multilevel_heat_systems(problem, {1.0}, {});
  EXPECT_FALSE(systems->factorise(Vector(problem.faces(), -1.0), 1.0));
}

TEST(HeatMultilevel, StepsAreThoseOfTheOtherSolvers) {
  struct Case {
    HeatProblem problem;
    int stages;
  };
  for (const auto& [problem, stages] : {Case{square(24), 3}, Case{shuffled(), 1}}) {
    Vector theta(problem.cells());
    for (std::size_t i = 0; i < theta.size(); ++i)
      theta[i] = std::cos(6.0 * problem.mesh.x[i]) + std::sin(4.0 * problem.mesh.y[i]);
    std::vector<Vector> ends;
    for (const HeatSolver solver : {HeatSolver::multilevel, HeatSolver::cholesky}) {
      HeatStepper stepper(problem, {.stages = stages, .solver = solver, .newton = 1e-12});
      Vector state = consistent_state(problem, theta);
      for (int n = 0; n < 2; ++n) ASSERT_FALSE(stepper.step(0.01 * n, 0.01, state));
      EXPECT_GT(stepper.statistics().linear.solves, 0u);
      ends.push_back(std::move(state));
    }
    // Fluxes follow from differences of temperatures over small distances.
    for (std::size_t i = 0; i < ends[0].size(); ++i)
      EXPECT_NEAR(ends[0][i], ends[1][i], i < problem.cells() ? 1e-10 : 1e-8) << stages << ' ' << i;
  }
}

}  // namespace
}  // namespace driftless
