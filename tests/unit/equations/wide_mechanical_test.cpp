// The wide form: its composed derivatives beside differences, its hidden constraints and its projection.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/equations/manifold.h"
#include "driftless/equations/wide_model.h"
#include "tests/order/wide_problem.h"
#include "tests/unit/equations/differences.h"

namespace driftless::wide_mechanical_test {
namespace {

const order::WideCase everything{.name = "everything"};

struct Point {
  Vector q{0.4, -0.3, 0.8}, v{0.6, 0.2, -0.5}, a{0.3, -0.7, 0.2}, lambda{0.9, -0.4};
  double t = 0.7;
};

// Columns (q, v, t) of what a function of them returns, by central differences.
template <class Evaluate>
Matrix differences(const Point& at, std::size_t rows, const Evaluate& evaluate) {
  Matrix j(rows, 7);
  for (std::size_t k = 0; k < 7; ++k) {
    Vector values[2] = {Vector(rows), Vector(rows)};
    const double h = 1e-5;
    for (const int side : {0, 1}) {
      Point moved = at;
      double& x = k < 3 ? moved.q[k] : k < 6 ? moved.v[k - 3] : moved.t;
      x += side == 0 ? -h : h;
      evaluate(moved, values[side]);
    }
    for (std::size_t i = 0; i < rows; ++i) j(i, k) = (values[1][i] - values[0][i]) / (2.0 * h);
  }
  return j;
}

void expect_same(const Matrix& found, const Matrix& expected, const char* what) {
  ASSERT_EQ(found.rows(), expected.rows());
  double largest = 0.0;
  for (std::size_t j = 0; j < found.cols(); ++j)
    for (std::size_t i = 0; i < found.rows(); ++i) {
      EXPECT_NEAR(found(i, j), expected(i, j), 2e-9) << what << " (" << i << ", " << j << ")";
      largest = std::fmax(largest, std::abs(found(i, j)));
    }
  EXPECT_GT(largest, 0.05) << what;
}

TEST(WideMechanical, DerivativesAreThoseOfDifferences) {
  const WideMechanical form = order::wide_problem(everything);
  const auto& f = form.functions();
  const Point at;
  Matrix j(2, 7), c(2, 3), by_q(3, 4);
  f.velocity_jacobian(at.q, at.v, at.t, j);
  expect_same(j, differences(at, 2, [&](const Point& p, Span out) { f.velocity_rows(p.q, p.v, p.t, out); }), "w");
  f.directions(at.q, at.t, c);
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(c(i, k), j(i, 3 + k), 1e-14);
  f.acceleration_jacobian(at.q, at.v, at.a, at.t, j);
  expect_same(j, differences(at, 2, [&](const Point& p, Span out) { f.acceleration_rows(p.q, p.v, p.a, p.t, out); }),
              "w'");
  f.reaction_jacobian(at.q, at.t, at.lambda, by_q);
  const Matrix reaction = differences(at, 3, [&](const Point& p, Span out) {
    Matrix there(2, 3);
    f.directions(p.q, p.t, there);
    for (std::size_t k = 0; k < 3; ++k) out[k] = there(0, k) * at.lambda[0] + there(1, k) * at.lambda[1];
  });
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(by_q(i, k), reaction(i, k < 3 ? k : 6), 2e-9) << i << ", " << k;
}

// w' along the motion is the derivative of w along the exact solution's rates.
TEST(WideMechanical, AccelerationRowsAreTheDerivativeAlongTheMotion) {
  const WideMechanical form = order::wide_problem(everything);
  const auto& f = form.functions();
  const Point at;
  Vector rate(3), low(2), high(2), found(2);
  f.rates(at.q, at.v, at.t, rate);
  f.acceleration_rows(at.q, at.v, at.a, at.t, found);
  const double h = 1e-5;
  for (const double side : {-h, h}) {
    Point moved = at;
    moved.t += side;
    for (std::size_t i = 0; i < 3; ++i) {
      moved.q[i] += side * rate[i];
      moved.v[i] += side * at.a[i];
    }
    f.velocity_rows(moved.q, moved.v, moved.t, side < 0.0 ? low : high);
  }
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(found[i], (high[i] - low[i]) / (2.0 * h), 1e-8);
}

class WideCases : public testing::TestWithParam<order::WideCase> {};

// The exact solution satisfies all levels, and its multipliers and rates are found again.
TEST_P(WideCases, KnowTheExactSolution) {
  const Equations equations = order::wide_problem(GetParam());
  const auto manifold = make_manifold(equations);
  for (const double t : {0.1, 0.5, 1.3}) {
    const Vector exact = order::wide_solution(GetParam(), t);
    Vector residual(manifold->constraint_count()), state = exact, slope(exact.size());
    for (int level = 1; level <= 3; ++level) {
      ASSERT_EQ(manifold->residual(level, t, exact, residual), ManifoldStatus::ok);
      for (const double x : residual) EXPECT_NEAR(x, 0.0, 1e-13) << GetParam().name << ", level " << level;
    }
    ASSERT_EQ(manifold->flow(t, state, slope), ManifoldStatus::ok);
    for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(state[i], exact[i], 1e-12) << GetParam().name;
    const double h = 1e-5;
    const Vector before = order::wide_solution(GetParam(), t - h), after = order::wide_solution(GetParam(), t + h);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(slope[i], (after[i] - before[i]) / (2.0 * h), 1e-8);
  }
}

// A state beside the manifold is moved onto it by about its distance, and one on it is left alone.
TEST_P(WideCases, ProjectOnAllLevels) {
  const Equations equations = order::wide_problem(GetParam());
  const auto manifold = make_manifold(equations);
  const double t = 0.6;
  const Vector exact = order::wide_solution(GetParam(), t);
  const std::size_t m = manifold->constraint_count();
  Vector state = exact, mu1(m), mu2(m), residual(m);
  for (std::size_t i = 0; i < 6; ++i) state[i] += 1e-3 * std::sin(1.0 + static_cast<double>(i));
  ASSERT_EQ(manifold->project(t, state, true, mu1, mu2), ManifoldStatus::ok);
  for (const int level : {1, 2}) {
    manifold->residual(level, t, state, residual);
    for (const double x : residual) EXPECT_NEAR(x, 0.0, 1e-14) << GetParam().name << ", level " << level;
  }
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(state[i], exact[i], 1e-2);
  Vector again = exact;
  ASSERT_EQ(manifold->settle(t, again), ManifoldStatus::ok);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(again[i], exact[i], 1e-14);
}

// What is removed from a change is normal, what is left is tangential.
TEST_P(WideCases, RemoveTheNormalPart) {
  const Equations equations = order::wide_problem(GetParam());
  const auto manifold = make_manifold(equations);
  const Vector exact = order::wide_solution(GetParam(), 0.6);
  Vector change(exact.size());
  for (std::size_t i = 0; i < 6; ++i) change[i] = std::cos(static_cast<double>(i));
  ASSERT_EQ(manifold->remove_normal(0.6, exact, change), ManifoldStatus::ok);
  for (const int level : {1, 2}) {
    Matrix gradients;
    manifold->level_jacobian(level, 0.6, exact, gradients);
    const auto range = manifold->determined_by(level);
    for (std::size_t k = 0; k < gradients.rows(); ++k) {
      double sum = 0.0;
      for (std::size_t i = 0; i < range.size; ++i) sum += gradients(k, i) * change[range.begin + i];
      EXPECT_NEAR(sum, 0.0, 1e-13) << GetParam().name << ", level " << level;
    }
  }
  const Vector once = change;
  manifold->remove_normal(0.6, exact, change);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(change[i], once[i], 1e-13);
}

INSTANTIATE_TEST_SUITE_P(All, WideCases, testing::ValuesIn(order::wide_cases));

struct Curved {
  void force(auto, auto, auto, auto) const {}
  void rates(auto, auto v, auto, auto dq) const { dq[0] = v[0] * v[0]; }
};

TEST(WideMechanical, RefusesRatesThatAreNotLinear) {
  try {
    mechanical(Curved{}, {.q = 1});
    FAIL();
  } catch (const Misuse& misuse) {
    EXPECT_NE(std::string(misuse.what()).find("rates is not linear in the velocities"), std::string::npos);
  }
}

struct Coupled {  // M is positive for one sign of `inertia` on what the constraint leaves free
  double inertia;
  void force(auto, auto, auto, auto) const {}
  void mass(auto, auto, auto m) const {
    m(0, 0) = 1.0;
    m(1, 1) = inertia;
    m(2, 2) = -3.0;
  }
  void velocity_constraint(auto, auto v, auto, auto h) const { h[0] = v[2] + 0.5 * v[0]; }
};

// Debreu: definite on the kernel is enough, whatever M is elsewhere.
TEST(WideMechanical, MassMayBeIndefiniteOffTheKernelAlone) {
  const Vector state(7, 0.0);
  for (const double inertia : {1.0, -1.0, 0.0}) {
    const Equations equations = mechanical(Coupled{inertia}, {.nu = 1, .q_names = {"x", "y", "z"}});
    const auto manifold = make_manifold(equations);
    Vector at = state, slope(7);
    const auto status = manifold->flow(0.0, at, slope);
    EXPECT_EQ(status == ManifoldStatus::ok, inertia > 0.0) << inertia;
    if (status == ManifoldStatus::ok) continue;
    const Failure failure = explain(status, equations, 0.0, state);
    EXPECT_EQ(failure.where, "y'") << failure.message();
    EXPECT_EQ(failure.kind, FailureKind::singular_matrix);
  }
}

}  // namespace
}  // namespace driftless::wide_mechanical_test
