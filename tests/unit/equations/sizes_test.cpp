// Unknowns of 1e-19: what is small is small compared with them, not with 1.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/core/failure.h"
#include "driftless/driftless.h"
#include "driftless/equations/manifold.h"

namespace driftless::sizes_test {
namespace {

constexpr double unit = 1e-19, per_unit = 1e19;

// A circle of this radius, in four forms. Multipliers are of the size 1 times `unit`, too.
struct CircleIndex2 {
  void f(auto u, auto l, auto, auto out) const {
    out[0] = u[1] - u[0] * l[0] * per_unit;
    out[1] = -u[0] - u[1] * l[0] * per_unit;
  }
  void g(auto u, auto, auto out) const { out[0] = (u[0] * u[0] + u[1] * u[1]) * (per_unit * per_unit) - 1.0; }
};
struct CircleIndex3 {
  void f(auto, auto v, auto, auto out) const {
    out[0] = v[0];
    out[1] = v[1];
  }
  void k(auto u, auto, auto l, auto, auto out) const {
    out[0] = -u[0] * l[0] * per_unit;
    out[1] = -unit - u[1] * l[0] * per_unit;
  }
  void g(auto u, auto, auto out) const { out[0] = (u[0] * u[0] + u[1] * u[1]) * (per_unit * per_unit) - 1.0; }
};
struct CircleMechanical {
  void force(auto, auto, auto, auto f) const { f[1] = -unit; }
  void constraint(auto q, auto, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1]) * (per_unit * per_unit) - 1.0; }
};
// z + z^3 = y in units.
struct Cubic {
  void F(auto y, auto, auto, auto out) const { out[0] = -y[0]; }
  void G(auto y, auto z, auto, auto out) const {
    const auto x = z[0] * per_unit;
    out[0] = x + x * x * x - y[0];
  }
};

double off(const Equations& form, ConstSpan state, int level) {
  return constraint_residuals(form, 0.0, state).largest(level);
}

TEST(Sizes, ProjectionsEndAtRoundingOfSmallUnknowns) {
  Equations two = index2(CircleIndex2{}, {.u = 2, .lambda = 1});
  Equations three = index3(CircleIndex3{}, {.u = 2, .v = 2, .lambda = 1});
  Equations mechanism = mechanical(CircleMechanical{}, {.q = 2, .lambda = 1});
  set_sizes(two, Vector(3, unit));
  set_sizes(three, Vector(5, unit));
  set_sizes(mechanism, Vector{unit, unit, unit, unit, unit * unit * unit});
  Vector mu(1), nu(1);
  for (const Equations& form : {two, three, mechanism}) {
    Vector state(layout_of(form).size(), 0.0);
    for (std::size_t i = 0; i + 1 < state.size(); ++i) state[i] = unit * (0.7 + 0.1 * static_cast<double>(i));
    const auto manifold = make_manifold(form);
    Vector settled = state;
    ASSERT_EQ(manifold->project(0.0, state, true, mu, nu), ManifoldStatus::ok) << index_of(form);
    EXPECT_LT(off(form, state, 1), 1e-14) << index_of(form);
    ASSERT_EQ(manifold->settle(0.0, settled), ManifoldStatus::ok) << index_of(form);
    EXPECT_LT(off(form, settled, 1), 1e-14) << index_of(form);
    // Levels two and three are in units of 1 and 1 over time.
    if (manifold->levels() == 3) {
      EXPECT_LT(off(form, settled, 2), 1e-14);
    }
    EXPECT_LT(off(form, settled, manifold->levels()), 1e-13) << index_of(form);
  }
}

TEST(Sizes, AlgebraicUnknownsAreFoundToRounding) {
  Equations form = partitioned(Cubic{}, {.y = 1, .z = 1});
  set_sizes(form, Vector{1.0, unit});
  Vector state{2.0, 0.2 * unit};
  ASSERT_EQ(make_manifold(form)->set_multipliers(0.0, state), ManifoldStatus::ok);
  EXPECT_NEAR(state[1] / unit, 1.0, 1e-15);
}

// Two equations for one length, of which the second wants another one: 1 % is no rounding, in whatever units.
struct TwoCircles {
  void force(auto, auto, auto, auto f) const { f[1] = -unit; }
  void constraint(auto q, auto, auto g) const {
    g[0] = (q[0] * q[0] + q[1] * q[1]) * (per_unit * per_unit) - 1.0;
    g[1] = (q[0] * q[0] + q[1] * q[1]) * (per_unit * per_unit) - 1.01;
  }
};
TEST(Sizes, SmallUnknownsCanContradict) {
  Equations form = mechanical(TwoCircles{}, {.q = 2, .lambda = 2});
  set_sizes(form, Vector{unit, unit, unit, unit, 1.0, 1.0});
  Vector state{unit, 0.0, 0.0, 0.0, 0.0, 0.0}, mu(2), nu(2);
  EXPECT_EQ(make_manifold(form)->project(0.0, state, true, mu, nu), ManifoldStatus::not_converged);
}

TEST(Sizes, AreOneForEachUnknownAndPositive) {
  Equations form = index2(CircleIndex2{}, {.u = 2, .lambda = 1});
  EXPECT_TRUE(layout_of(form).sizes().empty());
  EXPECT_THROW(set_sizes(form, Vector(2, 1.0)), Misuse);
  EXPECT_THROW(set_sizes(form, Vector{1.0, 0.0, 1.0}), Misuse);
  EXPECT_THROW(set_sizes(form, Vector{1.0, INFINITY, 1.0}), Misuse);
  set_sizes(form, Vector(3, 1.0));
  EXPECT_TRUE(layout_of(form).sizes().empty());
  set_sizes(form, Vector{1.0, 2.0, 1.0});
  EXPECT_EQ(layout_of(form).sizes()[1], 2.0);
}

}  // namespace
}  // namespace driftless::sizes_test
