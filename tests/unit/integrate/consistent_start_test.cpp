#include "driftless/integrate/consistent_start.h"

#include <gtest/gtest.h>

#include "driftless/driftless.h"
#include "testset/problem.h"

namespace driftless::consistent_start_test {
namespace {

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

Equations pendulum() { return mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}); }

TEST(ConsistentStart, ConsistentValuesStayAsTheyAre) {
  const auto start = make_consistent(pendulum(), 0.0, Vector{0.6, -0.8, 0.8, 0.6});
  ASSERT_TRUE(start);
  EXPECT_TRUE(start->moves.empty());
  EXPECT_EQ(start->summary(), "the start was consistent");
  // lambda = (|v|^2 - y)/2 for |q| = 1
  EXPECT_NEAR(start->state[4], 0.5 * (1.0 + 0.8), 1e-15);
}

TEST(ConsistentStart, MovesAlongTheGradientByTheLeastAmount) {
  const auto start = make_consistent(pendulum(), 0.0, Vector{3.0, -4.0, 1.0, 0.0});
  ASSERT_TRUE(start);
  EXPECT_NEAR(start->state[0], 0.6, 1e-15);
  EXPECT_NEAR(start->state[1], -0.8, 1e-15);
  // the velocity loses its radial part: (1, 0) - 0.6 (0.6, -0.8)
  EXPECT_NEAR(start->state[2], 0.64, 1e-15);
  EXPECT_NEAR(start->state[3], 0.48, 1e-15);
  EXPECT_NEAR(start->largest_move, 3.2, 1e-12);
  EXPECT_NEAR(start->residuals_before[0], 24.0, 1e-12);
  EXPECT_NE(start->summary().find("y: -4 -> -0.8"), std::string::npos) << start->summary();
}

TEST(ConsistentStart, FixedComponentsAreKept) {
  const auto start = make_consistent(pendulum(), 0.0, Vector{0.5, -0.8, 0.3, 0.0}, {.fixed = {"x", "x'"}});
  ASSERT_TRUE(start);
  EXPECT_EQ(start->state[0], 0.5);
  EXPECT_NEAR(start->state[1], -std::sqrt(0.75), 1e-15);
  EXPECT_EQ(start->state[2], 0.3);
  EXPECT_NEAR(0.5 * start->state[2] + start->state[1] * start->state[3], 0.0, 1e-16);
}

TEST(ConsistentStart, VelocitiesMayBeLeftOut) {
  const auto start = make_consistent(pendulum(), 0.0, Vector{1.0, 0.0});
  ASSERT_TRUE(start);
  EXPECT_EQ(start->state[2], 0.0);
  EXPECT_NEAR(start->state[4], 0.0, 1e-16);
}

TEST(ConsistentStart, WrongSizeIsMisuse) {
  try {
    (void)make_consistent(pendulum(), 0.0, Vector{1.0, 0.0, 0.0});
    FAIL();
  } catch (const Misuse& error) {
    EXPECT_STREQ(error.what(),
                 "the start has 3 values, but these equations need 4 (2 of q, 2 of v); multipliers may be left out");
  }
}

TEST(ConsistentStart, UnknownFixedNameIsMisuse) {
  EXPECT_THROW((void)make_consistent(pendulum(), 0.0, Vector{1.0, 0.0}, {.fixed = {"z"}}), Misuse);
}

TEST(ConsistentStart, NotANumberInTheStartIsMisuse) {
  EXPECT_THROW((void)make_consistent(pendulum(), 0.0, Vector{1.0, std::nan("")}), Misuse);
}

struct Impossible {
  void force(auto, auto, auto, auto) const {}
  void constraint(auto q, auto, auto g) const {
    g[0] = q[0] - 2.0;
    g[1] = q[0] * q[0] + q[1] * q[1] - 1.0;
  }
};

TEST(ConsistentStart, ImpossibleConstraintIsNamed) {
  const Equations equations = mechanical(Impossible{}, {.q_names = {"x", "y"}, .constraint_names = {"wall", "rod"}});
  const auto start = make_consistent(equations, 0.0, Vector{1.0, 0.5});
  ASSERT_FALSE(start);
  const std::string text = start.failure().message();
  EXPECT_TRUE(start.failure().kind == FailureKind::inconsistent_start ||
              start.failure().kind == FailureKind::rank_deficient);
  EXPECT_TRUE(text.find("rod") != std::string::npos || text.find("wall") != std::string::npos) << text;
}

TEST(ConsistentStart, FixedComponentsThatLeaveNoFreedomAreReported) {
  const auto start = make_consistent(pendulum(), 0.0, Vector{0.5, 0.5}, {.fixed = {"x", "y"}});
  ASSERT_FALSE(start);
  EXPECT_EQ(start.failure().kind, FailureKind::inconsistent_start);
  EXPECT_NE(start.failure().what_to_try.find("free some"), std::string::npos);
  EXPECT_EQ(start.failure().where, "rod");
}

TEST(ConsistentStart, RedundantConstraintsGetTheMultiplierOfLeastNorm) {
  const auto problem = testset::problem("redundant_parallelogram");
  Vector differential(problem.start.begin(), problem.start.begin() + 6);
  differential[0] += 1e-3;
  const auto start = make_consistent(problem.equations, problem.begin, differential);
  ASSERT_TRUE(start) << start.failure().message();
  const auto& lambda = layout_of(problem.equations).block("lambda");
  const ConstSpan values = lambda.of(ConstSpan(start->state));
  EXPECT_NEAR(values[0], values[1], 1e-8);
  EXPECT_NEAR(values[1], values[2], 1e-8);
  EXPECT_LT(constraint_residuals(problem.equations, problem.begin, start->state).largest(1), 1e-14);
}

struct Contradiction {
  void force(auto, auto, auto, auto) const {}
  void constraint(auto q, auto, auto g) const {
    g[0] = q[0] + q[1] - 1.0;
    g[1] = 2.0 * q[0] + 2.0 * q[1] - 3.0;
  }
};

TEST(ConsistentStart, ContradictingConstraintsAreNamed) {
  const Equations equations =
      mechanical(Contradiction{}, {.q_names = {"x", "y"}, .constraint_names = {"first", "second"}});
  const auto start = make_consistent(equations, 0.0, Vector{0.0, 0.0});
  ASSERT_FALSE(start);
  EXPECT_EQ(start.failure().kind, FailureKind::rank_deficient);
  EXPECT_FALSE(start.failure().where.empty());
}

TEST(ConsistentStart, Index1KeepsTheDifferentialPart) {
  const auto problem = testset::problem("lognorm_nonlinear");
  Vector disturbed = problem.start;
  disturbed[2] += 0.3;
  disturbed[3] -= 0.2;
  const auto start = make_consistent(problem.equations, 0.0, disturbed);
  ASSERT_TRUE(start);
  EXPECT_EQ(start->state[0], problem.start[0]);
  EXPECT_EQ(start->state[1], problem.start[1]);
  EXPECT_NEAR(start->state[2], problem.start[2], 1e-14);
  EXPECT_NEAR(start->state[3], problem.start[3], 1e-14);
}

// Every reference problem: from its differential part alone, the multipliers of the reference come out.
TEST(ConsistentStart, FindsTheMultipliersOfEveryReferenceProblem) {
  for (const auto& name : testset::problem_names()) {
    const auto problem = testset::problem(name);
    const Layout& layout = layout_of(problem.equations);
    if (!layout.has("lambda") || layout.block("lambda").size == 0) continue;
    const Block& lambda = layout.block("lambda");
    Vector differential(problem.start.begin(), problem.start.begin() + static_cast<std::ptrdiff_t>(lambda.begin));
    // lambda enters quadratically: two multipliers satisfy the hidden constraint, so a rough guess has to say which is
    // meant.
    if (name == "hlr_index2") differential.push_back(0.9);
    const auto start = make_consistent(problem.equations, problem.begin, differential);
    ASSERT_TRUE(start) << name << ": " << start.failure().message();
    double size = 1e-3;
    for (double x : lambda.of(ConstSpan(problem.start))) size = std::fmax(size, std::abs(x));
    for (std::size_t i = lambda.begin; i < layout.size(); ++i)
      if (!std::isnan(problem.start[i])) {
        EXPECT_NEAR(start->state[i], problem.start[i], 1e-6 * size) << name << ", " << layout.name(i);
      }
  }
}

// 0 = z + 0.66 z^3 - y and 0 = c (w + w^3 - z^2 / 2), where only the size of the factor differs: after y has jumped,
// the second is satisfied until z moves.
template <int log_factor>
struct Rows {
  void F(auto y, auto, auto, auto out) const { out[0] = 0.0 * y[0]; }
  void G(auto y, auto z, auto, auto out) const {
    const double factor = std::pow(10.0, log_factor);
    out[0] = z[0] + 0.66 * z[0] * z[0] * z[0] - y[0];
    out[1] = factor * (z[1] + z[1] * z[1] * z[1] - 0.5 * z[0] * z[0]);
  }
};

TEST(ConsistentStart, AFactorOnAnEquationChangesNothing) {
  const Vector before{1.66, 0.0, 0.0};  // y as after a jump, z and w as before it
  for (const Equations& equations :
       {Equations(partitioned(Rows<0>{}, {.y = 1, .z = 2})), Equations(partitioned(Rows<6>{}, {.y = 1, .z = 2})),
        Equations(partitioned(Rows<-6>{}, {.y = 1, .z = 2}))}) {
    const auto start = make_consistent(equations, 0.0, before, {.after_event = true});
    ASSERT_TRUE(start) << start.failure().message();
    const double w = start->state[2];
    EXPECT_NEAR(start->state[1], 1.0, 1e-14);
    EXPECT_NEAR(w + w * w * w, 0.5, 1e-14);
  }
}

// A large unknown beside a small one: each has arrived when it is right to its own last digits.
struct LargeAndSmall {
  void F(auto y, auto, auto, auto out) const { out[0] = 0.0 * y[0]; }
  void G(auto y, auto z, auto, auto out) const {
    out[0] = z[0] * 1e-12 - 2.0 * y[0];
    out[1] = z[1] + 0.629 * z[1] * z[1] * z[1] - y[0];
  }
};

TEST(ConsistentStart, SmallUnknownsArriveBesideLargeOnes) {
  Equations equations = partitioned(LargeAndSmall{}, {.y = 1, .z = 2});
  set_sizes(equations, Vector{1.0, 1e12, 1.0});
  const auto start = make_consistent(equations, 0.0, Vector{1.629, 2e12, 0.3}, {.after_event = true});
  ASSERT_TRUE(start) << start.failure().message();
  EXPECT_NEAR(start->state[2], 1.0, 1e-15);
  EXPECT_NEAR(start->state[1], 3.258e12, 1.0);
}

// 0 = l + l^3 + 30 has the one root -3; Newton's iteration with the slope at 0 runs away from it.
struct CubicIndex2 {
  void f(auto, auto l, auto, auto out) const { out[0] = l[0] + l[0] * l[0] * l[0] + 30.0; }
  void g(auto u, auto, auto out) const { out[0] = u[0]; }
};
struct CubicIndex3 {
  void f(auto, auto v, auto, auto out) const { out[0] = v[0]; }
  void k(auto, auto, auto l, auto, auto out) const { out[0] = l[0] + l[0] * l[0] * l[0] + 30.0; }
  void g(auto u, auto, auto out) const { out[0] = u[0]; }
};

TEST(ConsistentStart, FindsMultipliersThatEnterNonlinearlyFromFarAway) {
  for (const Equations& equations : {Equations(index2(CubicIndex2{}, {.u = 1, .lambda = 1})),
                                     Equations(index3(CubicIndex3{}, {.u = 1, .v = 1, .lambda = 1}))})
    for (const bool after_event : {false, true}) {
      const Vector given(layout_of(equations).size(), 0.0);
      const auto start = make_consistent(equations, 0.0, given, {.after_event = after_event});
      ASSERT_TRUE(start) << start.failure().message();
      EXPECT_NEAR(start->state.back(), -3.0, 1e-14);
    }
}

// 0 = l^2 + 1: what cannot be met is the derivative of the constraint, not the constraint.
struct NoRoot {
  void f(auto, auto l, auto, auto out) const { out[0] = l[0] * l[0] + 1.0; }
  void g(auto u, auto, auto out) const { out[0] = u[0]; }
};

TEST(ConsistentStart, SaysWhichMultipliersAreNotFound) {
  const Equations equations =
      index2(NoRoot{}, {.u_names = {"x"}, .lambda_names = {"force"}, .constraint_names = {"wall"}});
  const auto start = make_consistent(equations, 0.0, Vector{0.0, 2.0});
  ASSERT_FALSE(start);
  const Failure& failure = start.failure();
  EXPECT_EQ(failure.kind, FailureKind::inconsistent_start);
  EXPECT_EQ(failure.where, "wall");
  EXPECT_NE(failure.what_happened.find("no value of force was found near 2 with which the first derivative of the "
                                       "constraints holds (5 is left of it)"),
            std::string::npos)
      << failure.what_happened;
}

}  // namespace
}  // namespace driftless::consistent_start_test
