// Derivatives of the acceleration level: put together from the parts, and in sweeps through dynamics of any scalar
// type.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/equations/models.h"

namespace driftless::acceleration_jacobians_test {
namespace {

// Five coordinates, so that two sweeps are needed, with a mass matrix and two constraints that move.
struct Linkage {
  static constexpr bool dynamics_of_any_scalar = true;
  static constexpr std::size_t n = 5;

  void mass(auto q, auto t, auto M) const {
    using std::cos;
    for (std::size_t i = 0; i < n; ++i) M(i, i) = 2.0 + q[i] * q[i] + 0.1 * cos(t);
    M(0, 3) = M(3, 0) = 0.2 * q[1] * q[4];
  }
  void force(auto q, auto v, auto t, auto f) const {
    using std::sin;
    for (std::size_t i = 0; i < n; ++i) f[i] = sin(q[i] * v[(i + 1) % n]) - v[i] * v[i] + t * q[(i + 2) % n];
  }
  void constraint(auto q, auto t, auto g) const {
    g[0] = q[0] * q[1] * q[1] + q[2] * q[3] - t;
    g[1] = q[4] * q[4] - q[0] * t;
  }
  void dynamics(auto q, auto v, auto t, auto M, auto f, auto G, auto c) const {
    mass(q, t, M);
    force(q, v, t, f);
    G(0, 0) = q[1] * q[1];
    G(0, 1) = 2.0 * q[0] * q[1];
    G(0, 2) = q[3];
    G(0, 3) = q[2];
    G(1, 0) = -t;
    G(1, 4) = 2.0 * q[4];
    c[0] = 4.0 * q[1] * v[0] * v[1] + 2.0 * q[0] * v[1] * v[1] + 2.0 * v[2] * v[3];
    c[1] = 2.0 * v[4] * v[4] - 2.0 * v[0];
  }
};

struct Found {
  Matrix mass, g, balance, constraint;

  Found(const Mechanical::Functions& functions, std::size_t n, std::size_t r, std::size_t m, ConstSpan q, ConstSpan v,
        ConstSpan s, ConstSpan a, ConstSpan lambda)
      : mass(n, n, 99.0), g(m, n, 99.0), balance(n, 2 * n + r, 99.0), constraint(m, 2 * n, 99.0) {
    functions.acceleration_jacobians(q, v, s, 0.3, a, lambda,
                                     {.mass = mass, .g = g, .balance = balance, .constraint = constraint});
  }
};

void expect_close(const Matrix& found, const Matrix& expected, double tolerance, const char* what) {
  for (std::size_t j = 0; j < expected.cols(); ++j)
    for (std::size_t i = 0; i < expected.rows(); ++i)
      EXPECT_NEAR(found(i, j), expected(i, j), tolerance) << what << " (" << i << ", " << j << ")";
}

const Vector q{0.3, -0.7, 1.1, 0.4, 0.9}, v{0.5, 1.2, -0.6, 0.8, -1.0}, a{1.5, -0.4, 0.7, 2.0, -0.3}, lambda{0.8, -1.7};

TEST(AccelerationJacobians, InOnePassAreThoseOfTheParts) {
  const Mechanical form = mechanical(Linkage{}, {.q = 5, .lambda = 2});
  const Found swept(form.functions(), 5, 0, 2, q, v, {}, a, lambda),
      parts(form.automatic(), 5, 0, 2, q, v, {}, a, lambda);
  expect_close(swept.mass, parts.mass, 1e-14, "mass");
  expect_close(swept.g, parts.g, 1e-14, "G");
  expect_close(swept.balance, parts.balance, 1e-13, "balance");
  expect_close(swept.constraint, parts.constraint, 1e-13, "constraint");
}

// Against central differences of M a + G^T lambda - F and G a + curvature, with first-order states.
TEST(AccelerationJacobians, AreThoseOfDifferences) {
  const Mechanical form = models::machine();
  const auto& f = form.functions();
  const std::size_t n = 3, r = 2, m = 2;
  const Vector point{0.3, -0.7, 0.6, 0.5, 1.2, -0.6, 0.4, -0.2}, acceleration{1.5, -0.4, 0.7};
  const auto residual = [&](const Vector& x) {
    const ConstSpan at(x);
    const ConstSpan position = at.subspan(0, n), velocity = at.subspan(n, n), states = at.subspan(2 * n, r);
    Matrix mass(n, n), g(m, n + 1);
    Vector force(n), out(n + m);
    f.mass(position, 0.3, mass);
    f.force(position, velocity, states, 0.3, force);
    f.constraint_jacobian(position, 0.3, g);
    f.constraint_curvature(position, 0.3, velocity, 1.0, Span(out).subspan(n, m));
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = -force[i];
      for (std::size_t j = 0; j < n; ++j) out[i] += mass(i, j) * acceleration[j];
      for (std::size_t k = 0; k < m; ++k) out[i] += g(k, i) * lambda[k];
    }
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t j = 0; j < n; ++j) out[n + k] += g(k, j) * acceleration[j];
    return out;
  };
  const ConstSpan all(point);
  const Found found(f, n, r, m, all.subspan(0, n), all.subspan(n, n), all.subspan(2 * n, r), acceleration, lambda);
  for (std::size_t j = 0; j < point.size(); ++j) {
    Vector up(point), down(point);
    up[j] += 1e-6;
    down[j] -= 1e-6;
    const Vector high = residual(up), low = residual(down);
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(found.balance(i, j), (high[i] - low[i]) / 2e-6, 1e-8) << i << ", " << j;
    for (std::size_t k = 0; k < m && j < 2 * n; ++k)
      EXPECT_NEAR(found.constraint(k, j), (high[n + k] - low[n + k]) / 2e-6, 1e-8) << k << ", " << j;
  }
}

}  // namespace
}  // namespace driftless::acceleration_jacobians_test
