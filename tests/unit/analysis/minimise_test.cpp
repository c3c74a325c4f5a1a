// Constrained minimisation: textbook problems with known minimisers and multipliers.
#include "driftless/analysis/geometric/minimise.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "driftless/equations/minimisation_model.h"

namespace driftless::minimise_test {
namespace {

// Lagrangian phi + lambda . g throughout. Problems "HS n": W. Hock and K. Schittkowski, Test Examples for Nonlinear
// Programming Codes, 1981.

struct Hs6 {
  auto objective(auto u) const { return (1.0 - u[0]) * (1.0 - u[0]); }
  void constraint(auto u, auto g) const { g[0] = 10.0 * (u[1] - u[0] * u[0]); }
};
struct Hs7 {
  auto objective(auto u) const {
    using std::log;
    return log(1.0 + u[0] * u[0]) - u[1];
  }
  void constraint(auto u, auto g) const {
    const auto a = 1.0 + u[0] * u[0];
    g[0] = a * a + u[1] * u[1] - 4.0;
  }
};
struct Hs28 {
  auto objective(auto u) const {
    const auto a = u[0] + u[1], b = u[1] + u[2];
    return a * a + b * b;
  }
  void constraint(auto u, auto g) const { g[0] = u[0] + 2.0 * u[1] + 3.0 * u[2] - 1.0; }
};
struct Hs39 {
  auto objective(auto u) const { return -u[0]; }
  void constraint(auto u, auto g) const {
    g[0] = u[1] - u[0] * u[0] * u[0] - u[2] * u[2];
    g[1] = u[0] * u[0] - u[1] - u[3] * u[3];
  }
};
struct Hs40 {
  auto objective(auto u) const { return -u[0] * u[1] * u[2] * u[3]; }
  void constraint(auto u, auto g) const {
    g[0] = u[0] * u[0] * u[0] + u[1] * u[1] - 1.0;
    g[1] = u[0] * u[0] * u[3] - u[2];
    g[2] = u[3] * u[3] - u[1];
  }
};
// The largest box with surface 6: the cube. -xyz, multiplier 1/4: yz = lambda 2 (y + z).
struct Box {
  auto objective(auto u) const { return -u[0] * u[1] * u[2]; }
  void constraint(auto u, auto g) const { g[0] = 2.0 * (u[0] * u[1] + u[1] * u[2] + u[2] * u[0]) - 6.0; }
};
// The point of a plane next to the origin, in the norm of D = diag(1, 2, 4): u = D^-1 a lambda'.
struct Projection3 {
  auto objective(auto u) const { return 0.5 * (u[0] * u[0] + 2.0 * u[1] * u[1] + 4.0 * u[2] * u[2]); }
  void constraint(auto u, auto g) const { g[0] = u[0] + u[1] + u[2] - 7.0; }
};

struct Known {
  const char* name;
  Minimisation problem;
  Vector start, minimiser, multipliers;
  double objective;
};

std::vector<Known> textbook() {
  const double r3 = std::sqrt(3.0);
  const double c = std::cbrt(0.5), q = std::pow(2.0, -0.25);  // HS 40: 2^(-1/3), 2^(-1/4)
  return {
      {"HS 6", minimisation(Hs6{}, {.u = 2, .constraints = 1}), {-1.2, 1.0}, {1.0, 1.0}, {0.0}, 0.0},
      {"HS 7", minimisation(Hs7{}, {.u = 2, .constraints = 1}), {2.0, 2.0}, {0.0, r3}, {1.0 / (2.0 * r3)}, -r3},
      {"HS 28", minimisation(Hs28{}, {.u = 3, .constraints = 1}), {-4.0, 1.0, 1.0}, {0.5, -0.5, 0.5}, {0.0}, 0.0},
      {"HS 39",
       minimisation(Hs39{}, {.u = 4, .constraints = 2}),
       {2.0, 2.0, 2.0, 2.0},
       {1.0, 1.0, 0.0, 0.0},
       {-1.0, -1.0},
       -1.0},
      {"HS 40",
       minimisation(Hs40{}, {.u = 4, .constraints = 3}),
       {0.8, 0.8, 0.8, 0.8},
       {c, std::sqrt(0.5), std::pow(2.0, -11.0 / 12.0), q},
       {0.5, -std::pow(2.0, -13.0 / 12.0), std::pow(2.0, -1.5)},
       -0.25},
      {"box",
       minimisation(Box{}, {.u_names = {"x", "y", "z"}, .constraint_names = {"surface"}}),
       {2.0, 0.5, 0.7},
       {1.0, 1.0, 1.0},
       {0.25},
       -1.0},
      {"weighted projection",
       minimisation(Projection3{}, {.u = 3, .constraints = 1}),
       {7.0, 0.0, 0.0},
       {4.0, 2.0, 1.0},
       {-4.0},
       0.5 * (16.0 + 8.0 + 4.0)},
  };
}

void check(const Known& known, const Minimum& found) {
  for (std::size_t i = 0; i < known.minimiser.size(); ++i) EXPECT_NEAR(found.u[i], known.minimiser[i], 1e-9) << i;
  for (std::size_t i = 0; i < known.multipliers.size(); ++i)
    EXPECT_NEAR(found.multipliers[i], known.multipliers[i], 1e-9) << i;
  EXPECT_NEAR(found.objective, known.objective, 1e-12);
  EXPECT_LT(found.gradient_residual, 1e-11);
  EXPECT_LT(found.constraint_residual, 1e-13);
  EXPECT_LE(found.objective, found.start_objective);
  EXPECT_GT(found.flow_steps, 0u);
}

TEST(Minimise, TextbookProblemsHaveTheirMinimisersAndMultipliers) {
  for (const Known& known : textbook()) {
    SCOPED_TRACE(known.name);
    const auto found = minimise(known.problem, known.start);
    ASSERT_TRUE(found.ok()) << found.failure().message();
    check(known, *found);
    EXPECT_TRUE(found->strict());
    EXPECT_EQ(found->curvatures.size(), known.minimiser.size() - found->multipliers.size());
  }
}

// The same with projected and half-explicit methods and fixed steps.
TEST(Minimise, FixedStepsLeadToTheSameMinimum) {
  for (const char* tableau : {"radau-iia-2", "sdirk-2-half", "hem3"})
    for (const Known& known : textbook()) {
      if (std::string_view(known.name) == "HS 6") continue;  // its constraint is steep: needs smaller steps
      SCOPED_TRACE(fmt::format("{}, {}", known.name, tableau));
      const auto found = minimise(known.problem, known.start,
                                  {.discretisation = Discretisation{{.tableau = tableau_by_name(tableau)}, 0.05}});
      ASSERT_TRUE(found.ok()) << found.failure().message();
      check(known, *found);
    }
}

// They solve the stationarity condition, which is linear in them.
TEST(Minimise, MultipliersAreThoseOfTheLagrangian) {
  const Known known = textbook()[4];
  const auto found = minimise(known.problem, known.start).value();
  Vector gradient(4);
  Matrix j(3, 4);
  known.problem.functions().gradient(found.u, gradient);
  known.problem.functions().constraint_jacobian(found.u, j);
  for (std::size_t i = 0; i < 4; ++i) {
    double sum = gradient[i];
    for (std::size_t k = 0; k < 3; ++k) sum += j(k, i) * found.multipliers[k];
    EXPECT_NEAR(sum, 0.0, 1e-13);
  }
}

struct Rayleigh {
  auto objective(auto u) const {
    auto sum = 0.0 * u[0];
    for (std::size_t i = 0; i < 4; ++i) sum += (static_cast<double>(i) + 1.0) * u[i] * u[i];
    return 0.5 * sum;
  }
  void constraint(auto u, auto g) const {
    for (std::size_t i = 0; i < 4; ++i) g[0] += 0.5 * u[i] * u[i];
    g[0] -= 0.5;
  }
};

// Begins exactly at the maximum, which is an equilibrium of the flow.
TEST(Minimise, LeavesMaximaAndSaddles) {
  const Minimisation problem = minimisation(Rayleigh{}, {.u = 4, .constraints = 1});
  const auto found = minimise(problem, Vector{0.0, 0.0, 0.0, 1.0});
  ASSERT_TRUE(found.ok()) << found.failure().message();
  EXPECT_GE(found->saddles_left, 1);
  EXPECT_NEAR(std::abs(found->u[0]), 1.0, 1e-12);
  EXPECT_NEAR(found->multipliers[0], -1.0, 1e-12);
  EXPECT_NEAR(found->objective, 0.5, 1e-13);
  const auto stays = minimise(problem, Vector{0.0, 0.0, 0.0, 1.0}, {.most_saddles = 0}).value();
  EXPECT_FALSE(stays.strict());
  EXPECT_NEAR(stays.objective, 2.0, 1e-13);
  EXPECT_NEAR(stays.curvatures.front(), -3.0, 1e-12);
}

TEST(Minimise, KeepsItsPathIfAsked) {
  const Minimisation problem = minimisation(Rayleigh{}, {.u = 4, .constraints = 1});
  const Vector start = {0.0, 0.0, 0.0, 1.0};
  EXPECT_TRUE(minimise(problem, start).value().path.empty());
  const Minimum found = minimise(problem, start, {.keep_path = true}).value();
  using Reached = DescentPoint::Reached;
  std::size_t count[4] = {};
  double time = 0.0, largest = 0.0;
  for (const DescentPoint& point : found.path) {
    ++count[static_cast<std::size_t>(point.by)];
    EXPECT_GE(point.time, time);
    time = point.time;
    largest = std::max(largest, point.constraint);
    double norm = 0.0;
    for (const double x : point.u) norm += x * x;
    EXPECT_NEAR(norm, 1.0, 1e-12);
  }
  EXPECT_LT(largest, 1e-12);
  EXPECT_EQ(count[static_cast<std::size_t>(Reached::start)], 1u);
  EXPECT_EQ(count[static_cast<std::size_t>(Reached::flow)], found.flow_steps);
  EXPECT_EQ(count[static_cast<std::size_t>(Reached::left_saddle)], static_cast<std::size_t>(found.saddles_left));
  EXPECT_EQ(found.path.front().u, start);
  EXPECT_EQ(found.path.front().objective, found.start_objective);
  EXPECT_EQ(found.path.back().by, Reached::newton);
  EXPECT_EQ(found.path.back().u, found.u);
  EXPECT_EQ(found.path.back().objective, found.objective);
  EXPECT_LT(found.path.back().gradient, 1e-12);
  EXPECT_EQ(time, found.flow_time);
}

struct Unbounded {
  auto objective(auto u) const { return u[0] + u[1]; }
  void constraint(auto u, auto g) const { g[0] = u[0] - u[1]; }
};

TEST(Minimise, SaysThatThereIsNoMinimum) {
  const Minimisation problem = minimisation(Unbounded{}, {.u_names = {"x", "y"}, .constraint_names = {"diagonal"}});
  const auto found = minimise(problem, Vector{0.0, 1.0}, {.bound = 1e5});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.failure().kind, FailureKind::diverged);
  EXPECT_EQ(found.failure().where, "x");
  EXPECT_EQ(found.failure().what_happened.substr(0, 34), "the gradient flow runs away: x = -");
}

struct Infeasible {
  auto objective(auto u) const { return u[0]; }
  void constraint(auto u, auto g) const { g[0] = u[0] * u[0] + u[1] * u[1] + 1.0; }
};

TEST(Minimise, SaysThatNothingIsFeasible) {
  const auto found = minimise(minimisation(Infeasible{}, {.u = 2, .constraints = 1}), Vector{1.0, 1.0});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.failure().kind, FailureKind::inconsistent_start);
}

// A minimum at infinity that is approached ever more slowly.
struct Slow {
  auto objective(auto u) const {
    using std::exp;
    return exp(-u[0]);
  }
};

TEST(Minimise, GivesUpAfterItsLimit) {
  const auto found = minimise(minimisation(Slow{}, {.u = 1}), Vector{0.0}, {.small_gradient = 1e-13, .step_limit = 50});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.failure().kind, FailureKind::too_many_steps);
  EXPECT_EQ(found.failure().what_happened.substr(0, 54), "the gradient flow is not at rest after 50 steps: the o");
}

struct Quadratic {
  auto objective(auto u) const { return (u[0] - 1.0) * (u[0] - 1.0) + 3.0 * (u[1] + 2.0) * (u[1] + 2.0); }
};

TEST(Minimise, WorksWithoutConstraints) {
  const auto found = minimise(minimisation(Quadratic{}, {.u = 2}), Vector{5.0, 5.0});
  ASSERT_TRUE(found.ok()) << found.failure().message();
  EXPECT_NEAR(found->u[0], 1.0, 1e-12);
  EXPECT_NEAR(found->u[1], -2.0, 1e-12);
  EXPECT_TRUE(found->multipliers.empty());
  EXPECT_EQ(found->curvatures, (Vector{2.0, 6.0}));
}

TEST(Minimise, NonsenseIsMisuse) {
  EXPECT_THROW(minimisation(Hs6{}, {.u = 2, .constraints = 2}), Misuse);
  EXPECT_THROW(minimisation(Box{}, {.u = 2, .constraints = 1}), Misuse);  // u[2] does not exist
  EXPECT_THROW((void)minimise(textbook()[0].problem, Vector{1.0}), Misuse);
}

}  // namespace
}  // namespace driftless::minimise_test
