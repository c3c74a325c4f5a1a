// Equilibria and their multipliers against those of the ODE in local coordinates.
#include "driftless/analysis/geometric/equilibrium.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "driftless/driftless.h"
#include "testset/problem.h"

namespace driftless::equilibrium_test {
namespace {

using Complex = std::complex<double>;

// R(z) = 1 + z b^T (I - z A)^-1 1
Complex stability_function(const Tableau& tableau, Complex z) {
  const auto s = static_cast<Eigen::Index>(tableau.stages());
  Eigen::MatrixXcd m = Eigen::MatrixXcd::Identity(s, s);
  Eigen::VectorXcd b(s);
  for (Eigen::Index i = 0; i < s; ++i) {
    b(i) = tableau.b[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < s; ++j)
      m(i, j) -= z * tableau.a(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  }
  const Eigen::VectorXcd solved = m.partialPivLu().solve(Eigen::VectorXcd::Ones(s));
  return 1.0 + z * (b.array() * solved.array()).sum();
}

double nearest(const std::vector<Complex>& values, Complex wanted) {
  double best = 1e300;
  for (const Complex& value : values) best = std::min(best, std::abs(value - wanted));
  return best;
}

const char* const methods[] = {"radau-iia-2",  "radau-iia-3", "radau-ia-2", "lobatto-iiic-3",
                               "sdirk-2-half", "hem3",        "hem5"};

// The Rayleigh quotient on the sphere: in local coordinates at the lowest eigenvector the flow is -(a_k - a_1).
TEST(Equilibrium, GradientFlowHasTheExponentsOfItsLocalCoordinates) {
  const auto problem = testset::problem("gradient_flow_sphere");
  const Index2 equations = index2_of(problem.equations);
  const double a[] = {1.350342198033726961840811, 2.270500148128861244537602, 3.206348643193850459105469,
                      4.165905489607990947316298, 5.148570187702237053866488};
  const auto found = find_equilibrium(equations, problem.references[1].state);
  ASSERT_TRUE(found.ok());
  EXPECT_NEAR(found->state[5], -a[0], 1e-14);
  EXPECT_TRUE(found->stable());
  ASSERT_EQ(found->exponents.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(std::abs(found->exponents[k] - (a[0] - a[k + 1])), 0.0, 1e-12) << k;
  for (const char* name : methods) {
    SCOPED_TRACE(name);
    const Tableau tableau = tableau_by_name(name);
    const int order = properties_of(tableau).order;
    double last = 0.0;
    for (double h : {0.1, 0.05}) {
      const auto multipliers = step_multipliers(equations, *found, {{.tableau = tableau}, h}).value();
      ASSERT_EQ(multipliers.size(), 4u);
      double error = 0.0;
      for (std::size_t k = 0; k < 4; ++k) {
        const double z = h * (a[0] - a[k + 1]);
        EXPECT_LT(nearest(multipliers, stability_function(tableau, z)), 5e-11);
        error = std::max(error, std::abs(multipliers[k] - std::exp(z)));
      }
      if (last > 1e-9) {
        EXPECT_NEAR(std::log2(last / error), order + 1, 0.4);
      }
      last = error;
    }
  }
}

struct DampedPendulum {
  void force(auto, auto v, auto, auto f) const {
    f[0] = -0.3 * v[0];
    f[1] = -9.81 - 0.3 * v[1];
  }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

// By Gear, Gupta and Leimkuhler; in the angle, theta'' = -9.81 sin theta - 0.3 theta'.
TEST(Equilibrium, HangingPendulumHasTheExponentsOfItsAngle) {
  const Equations pendulum = mechanical(DampedPendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
  const Index2 equations = index2_of(pendulum);
  const auto down = find_equilibrium(equations, Vector{0.1, -0.9, 0.0, 0.1});
  ASSERT_TRUE(down.ok()) << down.failure().message();
  EXPECT_NEAR(down->state[1], -1.0, 1e-14);
  EXPECT_NEAR(down->state[4], 9.81 / 2.0, 1e-13);  // 9.81 = 2 lambda
  const Complex expected(-0.15, std::sqrt(9.81 - 0.15 * 0.15));
  ASSERT_EQ(down->exponents.size(), 2u);
  EXPECT_LT(nearest(down->exponents, expected), 1e-12);
  EXPECT_LT(nearest(down->exponents, std::conj(expected)), 1e-12);
  EXPECT_TRUE(down->stable());
  for (const char* name : {"radau-iia-2", "sdirk-2-half", "hem3"}) {
    const Tableau tableau = tableau_by_name(name);
    const auto multipliers = step_multipliers(equations, *down, {{.tableau = tableau}, 0.05}).value();
    EXPECT_LT(nearest(multipliers, stability_function(tableau, 0.05 * expected)), 1e-10) << name;
  }
  const auto up = find_equilibrium(equations, Vector{0.1, 0.9, 0.0, 0.0});
  ASSERT_TRUE(up.ok());
  EXPECT_FALSE(up->stable());
  EXPECT_NEAR(up->exponents[0].real(), -0.15 + std::sqrt(0.15 * 0.15 + 9.81), 1e-12);
}

struct NoRest {
  void f(auto u, auto lambda, auto, auto out) const {
    out[0] = 1.0 + u[0] * u[0];
    out[1] = lambda[0];
  }
  void g(auto u, auto, auto out) const { out[0] = u[1]; }
};

TEST(Equilibrium, SaysThatThereIsNone) {
  const Index2 equations = index2(NoRest{}, {.u = 2, .lambda = 1});
  const auto found = find_equilibrium(equations, Vector{0.3, 0.0});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.failure().kind, FailureKind::newton_did_not_converge);
  EXPECT_NE(found.failure().what_happened.find("no equilibrium was found in "), std::string::npos);
}

}  // namespace
}  // namespace driftless::equilibrium_test
