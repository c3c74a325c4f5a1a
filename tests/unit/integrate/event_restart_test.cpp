// What an event leaves alone: states keep their values, algebraic unknowns follow, constraints move as little as they
// must; and no state that is off its constraints is called a result.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "driftless/integrate/event_step.h"
#include "driftless/integrate/residual_check.h"

namespace driftless::event_restart_test {
namespace {

// z of z + z^3 = c, by Cardano's formula.
double cubic_root(double c) {
  const double d = std::sqrt(0.25 * c * c + 1.0 / 27.0);
  return std::cbrt(0.5 * c + d) + std::cbrt(0.5 * c - d);
}

struct Cubic {
  void F(auto y, auto, auto, auto out) const {
    out[0] = -y[0];
    out[1] = -y[1];
  }
  void G(auto y, auto z, auto, auto out) const {
    out[0] = z[0] + z[0] * z[0] * z[0] - y[0] - 5.0 * y[1];
    out[1] = 2.0 * z[1] + z[0] - y[0];
  }
};
Equations cubic() { return partitioned(Cubic{}, {.y_names = {"x", "y"}, .z_names = {"z", "w"}}); }

Event at_half(std::function<void(double, Span)> jump) {
  return {.name = "half", .root = [](double t, ConstSpan) { return t - 0.5; }, .jump = std::move(jump)};
}

TEST(EventRestart, AJumpWithIndexOneLeavesTheOtherStatesAloneToTheLastBit) {
  const Solution s = solve(cubic(), {1.0, 1.0, 1.5, 0.0},
                           {.span = {0.0, 1.0}, .tolerance = {1e-10, 1e-10}, .events = {at_half([](double, Span x) {
                                                                               x[1] = 3.0;
                                                                               x[3] =
                                                                                   77.0;  // algebraic: computed anyway
                                                                             })}});
  ASSERT_TRUE(s.ok()) << s.failure().message();
  ASSERT_EQ(s.events().size(), 1u);
  std::size_t after = 0;
  while (s.state(after)[1] != 3.0) ++after;
  EXPECT_EQ(s.state(after)[0], s.events()[0].state[0]);
  EXPECT_NEAR(s.state(after)[0], std::exp(-0.5), 1e-9);
  EXPECT_NEAR(s.state(after)[2], cubic_root(std::exp(-0.5) + 15.0), 1e-9);
  EXPECT_NEAR(s.state(after)[3], 0.5 * (std::exp(-0.5) - s.state(after)[2]), 1e-9);
  EXPECT_TRUE(s.events()[0].moves.empty());
  EXPECT_NEAR(s.final("x"), std::exp(-1.0), 1e-9);
  EXPECT_NEAR(s.final("y"), 3.0 * std::exp(-0.5), 1e-9);
  EXPECT_NEAR(s.final("z"), cubic_root(std::exp(-1.0) + 15.0 * std::exp(-0.5)), 1e-8);
}

TEST(EventRestart, WhatIsNamedIsKeptAndStatesBesideItAreToo) {
  const Vector given{std::exp(-0.5), 3.0, 1.5, 0.0};
  const auto found = make_consistent(cubic(), 0.5, given, {.fixed = {"y"}, .after_event = true});
  ASSERT_TRUE(found) << found.failure().message();
  EXPECT_EQ(found->state[0], given[0]);
  EXPECT_EQ(found->state[1], 3.0);
  EXPECT_NEAR(found->state[2], cubic_root(given[0] + 15.0), 1e-14);
  EXPECT_TRUE(found->moves.empty());
}

// Capacitors between nodes: (x - y)' and (y - z)' are stated, their sum is algebraic.
struct Nodes {
  void g(auto x, auto, auto out) const {
    out[0] = -x[0];
    out[1] = -x[1];
    out[2] = x[0] + x[1] + x[2] + 0.1 * x[2] * x[2] * x[2] - 1.0;
  }
};
Equations nodes() {
  Matrix a(3, 3);
  a(0, 0) = a(1, 1) = 1.0;
  a(0, 1) = a(1, 2) = -1.0;
  return implicit_index1(Nodes{}, a, {"x", "y", "z"});
}

TEST(EventRestart, WithASingularMatrixTheDifferentialPartOfTheJumpIsKept) {
  const auto start = make_consistent(nodes(), 0.0, Vector{1.0, 0.2, 0.0}, {.after_event = true});
  ASSERT_TRUE(start) << start.failure().message();
  EXPECT_NEAR(start->state[0] - start->state[1], 0.8, 1e-15);
  EXPECT_NEAR(start->state[1] - start->state[2], 0.2, 1e-15);
  EXPECT_TRUE(start->moves.empty());
}

TEST(EventRestart, WithASingularMatrixANamedNodeTakesAsFewDifferencesAlongAsPossible) {
  const auto start = make_consistent(nodes(), 0.0, Vector{1.0, 0.2, 0.0}, {.after_event = true});
  Vector given = start->state;
  given[0] = 3.0;
  const auto found = make_consistent(nodes(), 0.0, given, {.fixed = {"x"}, .after_event = true});
  ASSERT_TRUE(found) << found.failure().message();
  EXPECT_EQ(found->state[0], 3.0);
  EXPECT_NEAR(found->state[1] - found->state[2], 0.2, 1e-14);  // x - y has to change, y - z need not
  const double z = found->state[2];
  EXPECT_NEAR(3.0 + found->state[1] + z + 0.1 * z * z * z, 1.0, 1e-14);
  ASSERT_EQ(found->moves.size(), 2u);
  EXPECT_EQ(found->moves[0].name, "y");
  EXPECT_EQ(found->moves[1].name, "z");
}

// x' = lambda, y' = -y, s' = -s with x = y^2 + s: the multiplier acts on x alone.
struct Led {
  void f(auto u, auto lambda, auto, auto out) const {
    out[0] = lambda[0];
    out[1] = -u[1];
    out[2] = -u[2];
  }
  void g(auto u, auto, auto out) const { out[0] = u[0] - u[1] * u[1] - u[2]; }
};
Equations led() { return index2(Led{}, {.u_names = {"x", "y", "s"}, .constraint_names = {"leash"}}); }

TEST(EventRestart, AConstraintOfIndexTwoMovesWhatItsMultiplierActsOn) {
  const auto found = make_consistent(led(), 0.0, Vector{1.25, 0.5, 3.0, 0.0}, {.fixed = {"s"}, .after_event = true});
  ASSERT_TRUE(found) << found.failure().message();
  EXPECT_EQ(found->state[1], 0.5);
  EXPECT_EQ(found->state[2], 3.0);
  EXPECT_NEAR(found->state[0], 3.25, 1e-15);
  ASSERT_EQ(found->moves.size(), 1u);
  EXPECT_EQ(found->moves[0].name, "x");
  EXPECT_EQ(found->moves[0].from, 1.25);
}

TEST(EventRestart, IfWhatTheMultiplierActsOnIsNamedTheOthersMoveAsLittleAsPossible) {
  const auto found = make_consistent(led(), 0.0, Vector{3.0, 0.5, 1.0, 0.0}, {.fixed = {"x"}, .after_event = true});
  ASSERT_TRUE(found) << found.failure().message();
  EXPECT_EQ(found->state[0], 3.0);
  const double y = found->state[1], s = found->state[2];
  EXPECT_NEAR(y * y + s, 3.0, 1e-14);
  EXPECT_NE(y, 0.5);
  EXPECT_NE(s, 1.0);
  EXPECT_EQ(found->moves.size(), 2u);
}

TEST(EventRestart, NamedValuesThatContradictAConstraintAreRefused) {
  const auto found =
      make_consistent(led(), 0.0, Vector{3.0, 0.5, 1.0, 0.0}, {.fixed = {"x", "y", "s"}, .after_event = true});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.failure().kind, FailureKind::inconsistent_start);
  EXPECT_EQ(found.failure().where, "leash");
  EXPECT_NE(found.failure().what_happened.find("after the event"), std::string::npos);
  EXPECT_NE(found.failure().what_to_try.find("reinit"), std::string::npos);
}

// A bead on a circle whose inertia is not the same in both directions: an impulse along G^T moves (vx, vy) by M^-1 G^T.
struct Bead {
  void mass(auto, auto, auto m) const {
    m(0, 0) = 1.0;
    m(1, 1) = 4.0;
  }
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};
Equations bead() {
  return mechanical(Bead{}, {.q_names = {"x", "y"}, .v_names = {"vx", "vy"}, .constraint_names = {"rod"}});
}

TEST(EventRestart, VelocitiesAreMovedByAnImpulse) {
  const Solution s = solve(
      bead(), {0.6, -0.8, 0.0, 0.0},
      {.span = {0.0, 0.6}, .tolerance = {1e-10, 1e-10}, .events = {at_half([](double, Span x) { x[2] += 1.0; })}});
  ASSERT_TRUE(s.ok()) << s.failure().message();
  const EventRecord& event = s.events().at(0);
  std::size_t after = 0;
  while (s.time(after) != event.time || s.state(after)[2] == event.state[2]) ++after;
  // v = v~ - M^-1 G^T nu with G v = 0, G = 2 (x, y)
  const double x = event.state[0], y = event.state[1], vx = event.state[2] + 1.0, vy = event.state[3];
  const double nu = (x * vx + y * vy) / (x * x + 0.25 * y * y);
  EXPECT_NEAR(s.state(after)[2], vx - x * nu, 1e-12);
  EXPECT_NEAR(s.state(after)[3], vy - 0.25 * y * nu, 1e-12);
  ASSERT_EQ(event.moves.size(), 2u);
  EXPECT_EQ(event.moves[0].name, "vx");
  EXPECT_EQ(event.moves[0].from, vx);
  EXPECT_EQ(event.moves[1].name, "vy");
  EXPECT_EQ(event.moves[1].to, s.state(after)[3]);
}

TEST(EventRestart, ANamedVelocityStaysAndTheOtherOneFollows) {
  const auto found =
      make_consistent(bead(), 0.0, Vector{0.6, -0.8, 1.0, 0.0, 0.0}, {.fixed = {"vx"}, .after_event = true});
  ASSERT_TRUE(found) << found.failure().message();
  EXPECT_EQ(found->state[0], 0.6);
  EXPECT_EQ(found->state[1], -0.8);
  EXPECT_EQ(found->state[2], 1.0);
  EXPECT_NEAR(found->state[3], 0.75, 1e-15);
  ASSERT_EQ(found->moves.size(), 1u);
  EXPECT_EQ(found->moves[0].name, "vy");
}

TEST(EventRestart, AJumpThatIsNotFiniteIsAFailureThatNamesTheEvent) {
  const Solution s = solve(cubic(), {1.0, 1.0, 1.5, 0.0},
                           {.span = {0.0, 1.0}, .events = {at_half([](double, Span x) { x[0] = std::nan(""); })}});
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.failure().kind, FailureKind::not_finite);
  EXPECT_EQ(s.failure().where, "half");
}

Matrix rows(std::initializer_list<std::initializer_list<double>> all) {
  Matrix m(all.size(), all.begin()->size());
  std::size_t i = 0;
  for (const auto& row : all) {
    std::size_t j = 0;
    for (const double x : row) m(i, j++) = x;
    ++i;
  }
  return m;
}

TEST(EventStep, GoesAlongTheDirectionsIfTheyAreEnough) {
  const Vector d = event_step(rows({{1.0, 2.0, 0.0}, {0.0, 1.0, 1.0}}), rows({{1.0, 0.0}, {0.0, 0.0}, {0.0, 2.0}}),
                              Vector{3.0, 5.0});
  EXPECT_NEAR(d[0], -3.0, 1e-14);
  EXPECT_EQ(d[1], 0.0);
  EXPECT_NEAR(d[2], -5.0, 1e-14);
}

TEST(EventStep, BesideThemOnlyForWhatTheyCannotDo) {
  // The first row can be met along x1; the second only by x2 and x3, equally.
  const Vector d = event_step(rows({{1.0, 0.0, 0.0}, {0.0, 1.0, 1.0}}), rows({{1.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}),
                              Vector{3.0, 4.0});
  EXPECT_NEAR(d[0], -3.0, 1e-14);
  EXPECT_NEAR(d[1], -2.0, 1e-14);
  EXPECT_NEAR(d[2], -2.0, 1e-14);
}

TEST(EventStep, RedundantRowsMoveNothingBeside) {
  const Matrix j = rows({{1.0, 1.0, 0.0}, {2.0, 2.0, 0.0}});
  const Vector d = event_step(j, rows({{1.0, 2.0}, {0.0, 0.0}, {0.0, 0.0}}), Vector{1.0, 2.0});
  EXPECT_NEAR(d[0], -1.0, 1e-14);
  EXPECT_NEAR(d[1], 0.0, 1e-14);
  EXPECT_EQ(d[2], 0.0);
}

TEST(EventStep, WhatMayNotMoveDoesNotMove) {
  const Vector d = event_step(rows({{0.0, 0.0}}), rows({{0.0}, {0.0}}), Vector{1.0});
  EXPECT_EQ(d, (Vector{0.0, 0.0}));
}

TEST(ResidualCheck, NamesTheConstraintThatIsOff) {
  EXPECT_FALSE(off_constraints(bead(), 0.0, Vector{0.6, -0.8, 0.8, 0.6, 0.0}, {}));
  const auto position = off_constraints(bead(), 0.0, Vector{0.6, -0.81, 0.8, 0.6, 0.0}, {});
  ASSERT_TRUE(position);
  EXPECT_EQ(position->kind, FailureKind::projection_failed);
  EXPECT_NE(position->what_happened.find("the constraint is off by 0.0161"), std::string::npos)
      << position->what_happened;
  const auto velocity = off_constraints(bead(), 0.0, Vector{0.6, -0.8, 0.8, 0.61, 0.0}, {});
  ASSERT_TRUE(velocity);
  EXPECT_NE(velocity->what_happened.find("first derivative"), std::string::npos);
}

TEST(ResidualCheck, ATighterToleranceIsWhatCounts) {
  EXPECT_FALSE(off_constraints(led(), 0.0, Vector{1.25 + 1e-7, 0.5, 1.0, 0.0}, {1e-6, 1e-9}));
  EXPECT_TRUE(off_constraints(led(), 0.0, Vector{1.25 + 1e-7, 0.5, 1.0, 0.0}, {1e-8, 1e-11}));
}

// From t = 0.5 on nothing determines z, and 0 = y - 0.5 + ... does not hold: no event tells.
struct LosesItsConstraint {
  void F(auto, auto, auto, auto out) const { out[0] = 1.0; }
  void G(auto y, auto z, auto t, auto out) const {
    if (t < 0.5)
      out[0] = z[0] - y[0];
    else
      out[0] = y[0] - 0.4;
  }
};

TEST(ResidualCheck, ARunThatLeavesItsConstraintIsNotOk) {
  for (const AdaptiveMethod method : {AdaptiveMethod::automatic, AdaptiveMethod::radau, AdaptiveMethod::dopri5}) {
    const Solution s = solve(partitioned(LosesItsConstraint{}, {.y_names = {"y"}, .z_names = {"z"}}), {0.0, 0.0},
                             {.span = {0.0, 1.0}, .adaptive = method});
    ASSERT_FALSE(s.ok());
    EXPECT_NEAR(s.failure().time, 0.5, 0.02) << s.failure().message();
  }
}

}  // namespace
}  // namespace driftless::event_restart_test
