// Cycles over coarser meshes: what the meshes are, how fast they converge, and that steps do not depend on them.
#include "testset/heat/heat_multilevel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace driftless::testset::heat_multilevel_test {
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
  HeatCycles cycles(problem);
  cycles.set_conductivity(conductivity);
  EXPECT_FALSE(real ? cycles.prepare_real(0, eigenvalue.real() / h) : cycles.prepare_complex(0, eigenvalue / h));
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
      cycles.solve_real(0, re);
    else
      cycles.solve_complex(0, re, im);
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
  HeatCycles cycles(problem);
  cycles.set_conductivity(Vector(problem.faces(), -1.0));
  EXPECT_TRUE(cycles.prepare_real(0, 1.0).has_value());
  EXPECT_TRUE(cycles.prepare_complex(0, {1.0, 1.0}).has_value());
}

// The whole inverse, fluxes included: on a mesh without coarser ones it is exact up to single precision.
TEST(HeatPreconditioner, InvertsTheMatrixOfTheEquations) {
  const HeatProblem problem{.mesh = rectangle_mesh(graded_edges(6, 3.0), uniform_edges(5)),
                            .law = flux_of_dissipation(Quartic{})};
  const Index1 form = as_index1(problem, HeatSystems::iterated);
  const std::size_t n = problem.unknowns();
  Vector theta(problem.cells());
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = std::cos(6.0 * problem.mesh.x[i]);
  const Vector state = consistent_state(problem, theta);
  Matrix j(n, n + 1);
  form.functions().f_jacobian(state, 0.0, j);
  const auto inverse = make_heat_preconditioner(problem);
  inverse->linearise(state, 0.0);
  const std::complex<double> c(270.0, 305.0);
  ASSERT_FALSE(inverse->prepare_real(0, c.real()));
  ASSERT_FALSE(inverse->prepare_complex(0, c));
  Vector x(n), y(n), re(n), im(n), b(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = std::sin(1.3 * static_cast<double>(i)), y[i] = std::cos(0.7 * static_cast<double>(i));
  for (std::size_t i = 0; i < n; ++i) {
    const double p = i < problem.cells() ? 1.0 : 0.0;
    b[i] = p * c.real() * x[i];
    re[i] = p * (c.real() * x[i] - c.imag() * y[i]);
    im[i] = p * (c.real() * y[i] + c.imag() * x[i]);
    for (std::size_t k = 0; k < n; ++k) b[i] -= j(i, k) * x[k], re[i] -= j(i, k) * x[k], im[i] -= j(i, k) * y[k];
  }
  inverse->apply_real(0, b);
  inverse->apply_complex(0, re, im);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(b[i], x[i], 1e-4);
    EXPECT_NEAR(re[i], x[i], 1e-4);
    EXPECT_NEAR(im[i], y[i], 1e-4);
  }
}

}  // namespace
}  // namespace driftless::testset::heat_multilevel_test
