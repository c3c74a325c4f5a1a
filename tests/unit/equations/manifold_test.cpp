#include "driftless/equations/manifold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "driftless/linalg/lu.h"
#include "tests/unit/equations/models.h"

namespace driftless::manifold_test {
namespace {

const double time = 0.7;

double largest(ConstSpan x) {
  double result = 0.0;
  for (double value : x) result = std::max(result, std::abs(value));
  return result;
}
Vector solve(const Matrix& a, Vector b) {
  RealLu lu(a.rows());
  lu.matrix() = a;
  EXPECT_TRUE(lu.factorise());
  lu.solve(b);
  return b;
}

// g = (x^2 + y^2 - 1)/2, x x' + y y', x'^2 + y'^2 + x x'' + y y'' with q'' = (-lambda x, -gravity - lambda y).
TEST(PendulumTest, ResidualsOfAllLevels) {
  const Vector state{0.6, -0.9, 0.4, 0.3, 2.5};
  const auto [x, y, p, r, lambda] = std::array{0.6, -0.9, 0.4, 0.3, 2.5};
  const auto residuals = constraint_residuals(models::pendulum(), 0.0, state);
  ASSERT_EQ(residuals.level.size(), 3u);
  EXPECT_NEAR(residuals.level[0][0], 0.5 * (x * x + y * y - 1.0), 1e-15);
  EXPECT_NEAR(residuals.level[1][0], x * p + y * r, 1e-15);
  EXPECT_NEAR(residuals.level[2][0], p * p + r * r - lambda * (x * x + y * y) - y * models::gravity, 1e-14);
  EXPECT_EQ(residuals.largest(1), std::abs(residuals.level[0][0]));
  EXPECT_EQ(residuals.largest(4), 0.0);
}

TEST(PendulumTest, MultiplierAndDerivative) {
  const auto manifold = make_manifold(models::pendulum());
  EXPECT_EQ(manifold->levels(), 3);
  EXPECT_EQ(manifold->constraint_count(), 1u);
  Vector state{0.6, -0.8, 0.8, 0.6, 99.0};
  ASSERT_EQ(manifold->set_multipliers(0.0, state), ManifoldStatus::ok);
  const double lambda = 1.0 + 0.8 * models::gravity;  // |v|^2 - gravity y
  EXPECT_NEAR(state[4], lambda, 1e-14);
  Vector slope(5);
  ASSERT_EQ(manifold->derivative(0.0, state, slope), ManifoldStatus::ok);
  EXPECT_NEAR(slope[0], 0.8, 1e-15);
  EXPECT_NEAR(slope[2], -0.6 * lambda, 1e-14);
  EXPECT_NEAR(slope[3], 0.8 * lambda - models::gravity, 1e-14);
  EXPECT_EQ(slope[4], 0.0);
}

TEST(PendulumTest, ProjectionIsRadialBecauseTheMassIsTheIdentity) {
  const auto manifold = make_manifold(models::pendulum());
  Vector state{0.66, -0.88, 1.0, 0.5, 0.0}, mu(1), nu(1);  // 1.1 (0.6, -0.8)
  ASSERT_EQ(manifold->project(0.0, state, true, mu, nu), ManifoldStatus::ok);
  EXPECT_NEAR(state[0], 0.6, 1e-15);
  EXPECT_NEAR(state[1], -0.8, 1e-15);
  EXPECT_NEAR(mu[0], 0.1, 1e-15);
  EXPECT_NEAR(nu[0], 0.6 - 0.4, 1e-15);  // G v~
  EXPECT_NEAR(state[2], 1.0 - 0.2 * 0.6, 1e-15);
  EXPECT_NEAR(state[3], 0.5 + 0.2 * 0.8, 1e-15);
}

TEST(PendulumTest, DecisiveMatrixAndGradients) {
  const auto manifold = make_manifold(models::pendulum());
  Matrix s, gradient;
  const Vector state{0.6, -0.9, 0.4, 0.3, 2.5};
  ASSERT_EQ(manifold->decisive_matrix(0.0, state, s), ManifoldStatus::ok);
  EXPECT_NEAR(s(0, 0), 0.36 + 0.81, 1e-15);
  for (int level : {1, 2}) {
    ASSERT_EQ(manifold->level_jacobian(level, 0.0, state, gradient), ManifoldStatus::ok);
    EXPECT_EQ(gradient(0, 1), -0.9);
    EXPECT_EQ(manifold->determined_by(level).begin, level == 1 ? 0u : 2u);
    EXPECT_EQ(manifold->determined_by(level).size, 2u);
  }
}

// (2.7) of Schropp 2003 for mechanical problems: M (q - q~) = -G^T mu_1, M (v - v~) = -G^T mu_2/h, M and G at the new
// point.
TEST(ProjectTest, MechanicalWithVariableMass) {
  for (bool positions : {true, false}) {
    const Mechanical form = models::machine();
    const Vector before = models::machine_state();
    Vector state = before, mu(2), nu(2);
    ASSERT_EQ(make_manifold(form)->project(time, state, positions, mu, nu), ManifoldStatus::ok);
    const auto residuals = constraint_residuals(form, time, state);
    EXPECT_LT(residuals.largest(2), 5e-15);
    Matrix mass(3, 3), g(2, 4);
    form.functions().mass(ConstSpan(state).first(3), time, mass);
    form.functions().constraint_jacobian(ConstSpan(state).first(3), time, g);
    for (std::size_t i = 0; i < 3; ++i) {
      double q = 0.0, v = 0.0;
      for (std::size_t j = 0; j < 3; ++j) {
        q += mass(i, j) * (state[j] - before[j]);
        v += mass(i, j) * (state[3 + j] - before[3 + j]);
      }
      for (std::size_t k = 0; k < 2; ++k) {
        q += g(k, i) * mu[k];
        v += g(k, i) * nu[k];
      }
      EXPECT_NEAR(q, 0.0, 1e-14);
      EXPECT_NEAR(v, 0.0, 1e-14);
      if (!positions) {
        EXPECT_EQ(state[i], before[i]);
      }
    }
    if (positions) {
      EXPECT_LT(residuals.largest(1), 1e-15);
      EXPECT_GT(largest(mu), 1e-3);
    } else {
      EXPECT_GT(residuals.largest(1), 1e-3);
      EXPECT_EQ(largest(mu), 0.0);
    }
    for (std::size_t i = 6; i < state.size(); ++i) EXPECT_EQ(state[i], before[i]);
  }
}

// u = u~ + f_v k_lambda mu_1, v = v~ + k_lambda mu_2/h with the matrices at the new point.
TEST(ProjectTest, GeneralIndex3) {
  for (bool positions : {true, false}) {
    const Index3 form = models::general3();
    const Vector before = models::general3_state();
    Vector state = before, mu(1), nu(1);
    ASSERT_EQ(make_manifold(form)->project(time, state, positions, mu, nu), ManifoldStatus::ok);
    const auto residuals = constraint_residuals(form, time, state);
    EXPECT_LT(residuals.largest(2), 2e-15);
    if (positions) {
      EXPECT_LT(residuals.largest(1), 1e-15);
    }
    const ConstSpan u(state.data(), 2), v(state.data() + 2, 2), lambda(state.data() + 4, 1);
    Matrix f(2, 5), k(2, 6);
    form.functions().f_jacobian(u, v, time, f);
    form.functions().k_jacobian(u, v, lambda, time, k);
    for (std::size_t i = 0; i < 2; ++i) {
      const double step = f(i, 2) * k(0, 4) + f(i, 3) * k(1, 4);
      EXPECT_NEAR(state[i], before[i] + step * mu[0], 1e-15);
      EXPECT_NEAR(state[2 + i], before[2 + i] + k(i, 4) * nu[0], 1e-15);
    }
    EXPECT_EQ(std::abs(mu[0]) > 1e-3, positions);
    EXPECT_GT(std::abs(nu[0]), 1e-3);
    EXPECT_EQ(state[4], before[4]);
  }
}

// (2.7) of Schropp 2001: u = u~ + Gamma^-1 f_lambda mu with the matrices at the new point.
TEST(ProjectTest, Index2WithGamma) {
  const Index2 form = models::general2();
  const Vector before = models::general2_state();
  Vector state = before, mu(1), nu(1);
  ASSERT_EQ(make_manifold(form)->project(time, state, true, mu, nu), ManifoldStatus::ok);
  EXPECT_LT(constraint_residuals(form, time, state).largest(1), 1e-15);
  const ConstSpan u(state.data(), 3), lambda(state.data() + 3, 1);
  Matrix gamma(3, 3), f(3, 5);
  form.functions().gamma(u, time, gamma);
  form.functions().f_jacobian(u, lambda, time, f);
  const Vector direction = solve(gamma, {f(0, 3), f(1, 3), f(2, 3)});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(state[i], before[i] + direction[i] * mu[0], 1e-15);
  EXPECT_GT(std::abs(mu[0]), 1e-3);
  EXPECT_EQ(state[3], before[3]);
  Vector alone = before;
  ASSERT_EQ(make_manifold(form)->project(time, alone, false, mu, nu), ManifoldStatus::ok);
  EXPECT_EQ(alone, before);
}

// The multiplier makes the last level vanish, also where it enters nonlinearly.
TEST(MultiplierTest, ResidualOfTheLastLevelVanishes) {
  const std::vector<std::pair<Equations, Vector>> cases{{models::machine(), models::machine_state()},
                                                        {models::general3(), models::general3_state()},
                                                        {models::general2(), models::general2_state()},
                                                        {models::circuit(), models::circuit_state()}};
  for (auto [equations, state] : cases) {
    const auto manifold = make_manifold(equations);
    SCOPED_TRACE(index_of(equations));
    EXPECT_GT(constraint_residuals(equations, time, state).largest(manifold->levels()), 1e-2);
    const Vector before = state;
    ASSERT_EQ(manifold->set_multipliers(time, state), ManifoldStatus::ok);
    EXPECT_LT(constraint_residuals(equations, time, state).largest(manifold->levels()), 2e-14);
    const std::size_t multipliers = manifold->constraint_count();
    for (std::size_t i = 0; i < state.size() - multipliers; ++i) EXPECT_EQ(state[i], before[i]);
  }
}

// Level 2 of index 2, against the formula g_u Gamma^-1 f + g_t.
TEST(ResidualTest, HiddenConstraintOfIndex2) {
  const Index2 form = models::general2();
  const Vector state = models::general2_state();
  const ConstSpan u(state.data(), 3), lambda(state.data() + 3, 1);
  Matrix gamma(3, 3), g(1, 4);
  Vector f(3);
  form.functions().gamma(u, time, gamma);
  form.functions().f(u, lambda, time, f);
  form.functions().g_jacobian(u, time, g);
  const Vector slope = solve(gamma, f);
  const double expected = g(0, 0) * slope[0] + g(0, 1) * slope[1] + g(0, 2) * slope[2] + g(0, 3);
  EXPECT_NEAR(constraint_residuals(form, time, state).level[1][0], expected, 1e-14);
}

// Each level is the time derivative of the one before along x' = derivative(x), by central differences.
TEST(ResidualTest, LevelsAreDerivativesOfEachOther) {
  const std::vector<std::pair<Equations, Vector>> cases{{models::machine(), models::machine_state()},
                                                        {models::general3(), models::general3_state()},
                                                        {models::general2(), models::general2_state()}};
  for (const auto& [equations, state] : cases) {
    const auto manifold = make_manifold(equations);
    Vector slope(state.size());
    ASSERT_EQ(manifold->derivative(time, state, slope), ManifoldStatus::ok);
    const double h = 1e-4;
    Vector ahead = state, behind = state;
    for (std::size_t i = 0; i < state.size(); ++i) {
      ahead[i] += h * slope[i];
      behind[i] -= h * slope[i];
    }
    const auto here = constraint_residuals(equations, time, state),
               before = constraint_residuals(equations, time - h, behind),
               after = constraint_residuals(equations, time + h, ahead);
    for (std::size_t k = 0; k + 1 < here.level.size(); ++k)
      for (std::size_t i = 0; i < here.level[k].size(); ++i)
        EXPECT_NEAR((after.level[k][i] - before.level[k][i]) / (2.0 * h), here.level[k + 1][i], 1e-6) << k;
  }
}

TEST(Index1ManifoldTest, OnlyTheAlgebraicPartMovesAndTheDerivativeIsTheDifferentialOne) {
  const Index1 form = models::circuit();
  const auto manifold = make_manifold(form);
  Vector state = models::circuit_state(), slope(4), mu(2), nu(2);
  ASSERT_EQ(manifold->project(time, state, true, mu, nu), ManifoldStatus::ok);
  EXPECT_LT(constraint_residuals(form, time, state).largest(1), 1e-15);
  EXPECT_EQ(state[0], 0.4);
  EXPECT_EQ(state[1], 0.7);
  ASSERT_EQ(manifold->derivative(time, state, slope), ManifoldStatus::ok);
  EXPECT_NEAR(slope[0], state[2] - state[1] * time, 1e-15);
  EXPECT_NEAR(slope[1], state[0] * state[3], 1e-15);
  EXPECT_EQ(slope[2], 0.0);
  Vector untouched = models::circuit_state();
  ASSERT_EQ(manifold->project(time, untouched, false, mu, nu), ManifoldStatus::ok);
  EXPECT_EQ(untouched, models::circuit_state());
}

// A = [[0, 1], [0, 0]]: y' = g_0 with y the second unknown, 0 = g_1.
struct Implicit {
  template <class T>
  void g(In<T> x, const T& t, Out<T> out) const {
    out[0] = -3.0 * x[1] + t;
    out[1] = x[0] - x[1] * x[1];
  }
};
TEST(Index1ManifoldTest, ImplicitEquationWithANilpotentMatrix) {
  Matrix a(2, 2);
  a(0, 1) = 1.0;
  const Index1 form = implicit_index1(Implicit{}, a, {"z", "y"});
  const auto manifold = make_manifold(form);
  Vector state{9.0, 0.5}, slope(2);
  ASSERT_EQ(manifold->set_multipliers(time, state), ManifoldStatus::ok);
  EXPECT_NEAR(state[0], 0.25, 1e-15);
  EXPECT_NEAR(state[1], 0.5, 1e-15);
  ASSERT_EQ(manifold->derivative(time, state, slope), ManifoldStatus::ok);
  EXPECT_NEAR(slope[0], 0.0, 1e-15);
  EXPECT_NEAR(slope[1], -1.5 + time, 1e-15);
}

// All coordinates are zero at the solution, where the formula cannot be zero in floating point: no correction is ever
// small relative to the coordinates.
struct AtTheOrigin {
  template <class T>
  void force(In<T>, In<T>, const T&, Out<T>) const {}
  template <class T>
  void constraint(In<T> q, const T&, Out<T> g) const {
    g[0] = 3.0 * (q[0] + 0.3) - 0.9;
  }
  template <class T>
  void f(In<T>, In<T> lambda, const T&, Out<T> out) const {
    out[0] = lambda[0];
  }
  template <class T>
  void g(In<T> u, const T& t, Out<T> out) const {
    constraint(u, t, out);
  }
};
TEST(ProjectTest, ArrivesAtTheOrigin) {
  const Equations forms[] = {mechanical(AtTheOrigin{}, {.q = 1, .lambda = 1}),
                             index2(AtTheOrigin{}, {.u = 1, .lambda = 1})};
  for (const Equations& equations : forms)
    for (double start : {0.0, 1e-20, 1e-3}) {
      Vector state(layout_of(equations).size()), mu(1), nu(1);
      state[0] = start;
      EXPECT_EQ(make_manifold(equations)->project(0.0, state, true, mu, nu), ManifoldStatus::ok) << start;
      EXPECT_NEAR(state[0], 0.0, 1e-16);
    }
}

struct TwoRods {
  double second_length;
  template <class T>
  void force(In<T>, In<T>, const T&, Out<T> f) const {
    f[1] = T(-1.0);
  }
  template <class T>
  void constraint(In<T> q, const T&, Out<T> g) const {
    g[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
    g[1] = 0.5 * (q[0] * q[0] + q[1] * q[1] - second_length * second_length);
  }
};

TEST(RedundantTest, ConstraintsThatAgreeAreNoTrouble) {
  const Mechanical form = mechanical(TwoRods{1.0}, {.q = 2, .lambda = 2, .constraint_names = {"rod", "copy"}});
  const auto manifold = make_manifold(form);
  Vector state{0.7, -0.8, 1.0, 0.2, 0.0, 0.0}, mu(2), nu(2);
  ASSERT_EQ(manifold->project(0.0, state, true, mu, nu), ManifoldStatus::ok);
  ASSERT_EQ(manifold->set_multipliers(0.0, state), ManifoldStatus::ok);
  const auto residuals = constraint_residuals(form, 0.0, state);
  for (int k = 1; k <= 3; ++k) EXPECT_LT(residuals.largest(k), 2e-15) << k;
  EXPECT_NEAR(state[4], 2.0 * state[5], 1e-14);  // of least norm: along (2, 1)
}

TEST(RedundantTest, ConstraintsThatContradictAreNamed) {
  const Mechanical form = mechanical(TwoRods{1.5}, {.q = 2, .lambda = 2, .constraint_names = {"rod", "copy"}});
  Vector state{0.7, -0.8, 1.0, 0.2, 0.0, 0.0}, mu(2), nu(2);
  const auto status = make_manifold(form)->project(0.0, state, true, mu, nu);
  ASSERT_EQ(status, ManifoldStatus::not_converged);
  const Failure failure = explain(status, form, 0.0, Vector{0.7, -0.8, 1.0, 0.2, 0.0, 0.0});
  EXPECT_EQ(failure.kind, FailureKind::rank_deficient);
  EXPECT_TRUE(failure.where == "rod" || failure.where == "copy") << failure.where;
}

struct Impossible {
  template <class T>
  void force(In<T>, In<T>, const T&, Out<T>) const {}
  template <class T>
  void constraint(In<T> q, const T&, Out<T> g) const {
    g[0] = q[0] * q[0] + 1.0;
  }
};
TEST(ExplainTest, NoPointNearby) {
  const Mechanical form = mechanical(Impossible{}, {.q = 1, .lambda = 1, .constraint_names = {"dream"}});
  Vector state{0.7, 0.0, 0.0}, mu(1), nu(1);
  const auto status = make_manifold(form)->project(0.0, state, true, mu, nu);
  ASSERT_EQ(status, ManifoldStatus::not_converged);
  const Failure failure = explain(status, form, 2.0, Vector{0.7, 0.0, 0.0});
  EXPECT_EQ(failure.kind, FailureKind::projection_failed);
  EXPECT_EQ(failure.where, "dream");
  EXPECT_EQ(failure.time, 2.0);
  EXPECT_NE(failure.what_happened.find("1.49"), std::string::npos) << failure.what_happened;
}

struct Massless {
  template <class T>
  void mass(In<T>, const T&, OutMatrix<T> m) const {
    m(0, 0) = T(1.0);
  }
  template <class T>
  void force(In<T>, In<T>, const T&, Out<T>) const {}
  template <class T>
  void constraint(In<T> q, const T&, Out<T> g) const {
    g[0] = q[0] - q[1];
  }
};
TEST(ExplainTest, MasslessCoordinate) {
  const Mechanical form = mechanical(Massless{}, {.q_names = {"heavy", "light"}, .lambda_names = {"force"}});
  Vector state(5);
  const auto status = make_manifold(form)->set_multipliers(0.0, state);
  ASSERT_EQ(status, ManifoldStatus::mass_not_positive_definite);
  const Failure failure = explain(status, form, 0.0, state);
  EXPECT_EQ(failure.kind, FailureKind::singular_matrix);
  EXPECT_EQ(failure.where, "light");
}

struct SingularGamma {
  template <class T>
  void gamma(In<T>, const T&, OutMatrix<T> out) const {
    out(0, 0) = T(1.0);
  }
  template <class T>
  void f(In<T>, In<T> lambda, const T&, Out<T> out) const {
    out[0] = lambda[0];
  }
  template <class T>
  void g(In<T> u, const T&, Out<T> out) const {
    out[0] = u[0];
  }
};
TEST(ExplainTest, SingularGamma) {
  const Index2 form = index2(SingularGamma{}, {.u = 2, .lambda = 1});
  Vector state(3), mu(1), nu(1);
  const auto status = make_manifold(form)->project(0.0, state, true, mu, nu);
  ASSERT_EQ(status, ManifoldStatus::gamma_singular);
  EXPECT_EQ(explain(status, form, 0.0, state).where, "gamma");
}

}  // namespace
}  // namespace driftless::manifold_test
