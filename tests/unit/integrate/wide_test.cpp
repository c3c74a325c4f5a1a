// Runs in the wide form of mechanics: every constraint level and method near its tolerance, the certificate, starts,
// invariants, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "tests/order/wide_problem.h"

namespace driftless::wide_test {
namespace {

struct Way {
  const char* name;
  AdaptiveMethod method;
  ConstraintLevel level = ConstraintLevel::acceleration;
};
const Way ways[] = {{"dop853", AdaptiveMethod::dop853},
                    {"hem5", AdaptiveMethod::hem5},
                    {"acceleration", AdaptiveMethod::radau},
                    {"velocity", AdaptiveMethod::radau, ConstraintLevel::velocity},
                    {"ggl", AdaptiveMethod::radau, ConstraintLevel::ggl},
                    {"position", AdaptiveMethod::radau, ConstraintLevel::position}};

double error_of(const Solution& run, const order::WideCase& given) {
  const Vector exact = order::wide_solution(given, run.time(run.size() - 1));
  double error = 0.0;
  for (std::size_t i = 0; i < 6; ++i) error = std::fmax(error, std::abs(run.state(run.size() - 1)[i] - exact[i]));
  return error;
}

// Errors follow the tolerance from above and below, on all levels, redundant and singular cases included.
TEST(WideRuns, KeepTheirToleranceOnEveryLevel) {
  for (const auto& given : order::wide_cases)
    for (const Way& way : ways) {
      Vector errors;
      const bool on_positions = way.level == ConstraintLevel::position;  // stages of index 3 are less accurate
      for (const double tolerance : {1e-5, 1e-8}) {
        SolveOptions options{.span = {0.1, 4.1}, .adaptive = way.method, .tolerance = {tolerance, tolerance}};
        if (way.method == AdaptiveMethod::radau) options.radau.level = way.level;
        const Solution run = solve(order::wide_problem(given), order::wide_solution(given, 0.1), options);
        ASSERT_TRUE(run.ok()) << given.name << ", " << way.name << ": " << run.failure().message();
        errors.push_back(error_of(run, given));
        EXPECT_LT(errors.back(), (on_positions ? 500.0 : 100.0) * tolerance) << given.name << ", " << way.name;
        EXPECT_LT(run.certificate().position, 1e-13) << given.name << ", " << way.name;
        EXPECT_LT(run.certificate().velocity, 1e-13) << given.name << ", " << way.name;
        EXPECT_LT(run.certificate().acceleration, 1e-11) << given.name << ", " << way.name;
        EXPECT_LT(run.statistics().steps, 400u) << given.name << ", " << way.name;
      }
      if (!on_positions) {
        EXPECT_LT(errors[1], 0.05 * errors[0]) << given.name << ", " << way.name;
      }
    }
}

TEST(WideRuns, BeginConsistently) {
  const order::WideCase given{.name = "all"};
  Vector rough = order::wide_solution(given, 0.3);
  for (std::size_t i = 0; i < 6; ++i) rough[i] += 0.01 * std::cos(static_cast<double>(i));
  rough.resize(6);
  const auto start = make_consistent(order::wide_problem(given), 0.3, rough);
  ASSERT_TRUE(start.ok());
  const auto residuals = constraint_residuals(order::wide_problem(given), 0.3, start.value().state);
  for (const int level : {1, 2, 3}) EXPECT_LT(residuals.largest(level), 1e-13);
  EXPECT_GT(start.value().largest_move, 1e-3);
  EXPECT_LT(start.value().largest_move, 0.1);
}

TEST(WideRuns, RefuseTheLevelWithAccelerations) {
  const order::WideCase given{.name = "all"};
  EXPECT_THROW(solve(order::wide_problem(given), order::wide_solution(given, 0.1),
                     {.span = {0.1, 1.0},
                      .adaptive = AdaptiveMethod::radau,
                      .radau = {.level = ConstraintLevel::position_with_accelerations}}),
               Misuse);
}

// A free rigid body about its centre, e a quaternion (w, x, y, z): e' = e o (0, omega)/2, J omega' = -omega x J omega.
struct FreeBody {
  bool with_invariants = true;
  template <class T>
  void rates(In<T> e, In<T> o, const T&, Out<T> de) const {
    de[0] = 0.5 * (-e[1] * o[0] - e[2] * o[1] - e[3] * o[2]);
    de[1] = 0.5 * (e[0] * o[0] + e[2] * o[2] - e[3] * o[1]);
    de[2] = 0.5 * (e[0] * o[1] + e[3] * o[0] - e[1] * o[2]);
    de[3] = 0.5 * (e[0] * o[2] + e[1] * o[1] - e[2] * o[0]);
  }
  template <class T>
  void mass(In<T>, const T&, OutMatrix<T> m) const {
    for (std::size_t i = 0; i < 3; ++i) m(i, i) = T(1.0 + static_cast<double>(i));
  }
  template <class T>
  void force(In<T>, In<T> o, const T&, Out<T> f) const {  // moments of inertia 1, 2, 3
    f[0] = -o[1] * o[2];
    f[1] = 2.0 * o[0] * o[2];
    f[2] = -o[0] * o[1];
  }
  template <class T>
  void position_invariants(In<T> e, const T&, Out<T> i) const {
    if (with_invariants) i[0] = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0;
  }
  template <class T>
  void velocity_invariants(In<T>, In<T> o, const T&, Out<T> j) const {
    if (with_invariants) j[0] = 0.5 * (o[0] * o[0] + 2.0 * o[1] * o[1] + 3.0 * o[2] * o[2]) - 2.07;
  }
  double energy(auto, auto o, double) const { return 0.5 * (o[0] * o[0] + 2.0 * o[1] * o[1] + 3.0 * o[2] * o[2]); }
};

Solution free_body(bool with_invariants, AdaptiveMethod method) {
  const std::size_t k = with_invariants ? 1 : 0;
  const auto body =
      mechanical(FreeBody{with_invariants}, {.q = 4, .v = 3, .position_invariants = k, .velocity_invariants = k});
  return solve(body, {1.0, 0.0, 0.0, 0.0, 0.2, 1.4, 0.3},
               {.span = {0.0, 100.0}, .adaptive = method, .tolerance = {1e-6, 1e-6}});
}

// Without them the norm and the energy drift; with them they stay, and what was removed each step is of that size.
TEST(Invariants, AreKeptAndTheirDriftIsReported) {
  for (const auto method : {AdaptiveMethod::dop853, AdaptiveMethod::radau}) {
    const Solution free = free_body(false, method), kept = free_body(true, method);
    ASSERT_TRUE(free.ok() && kept.ok()) << (kept.ok() ? "" : kept.failure().message());
    const auto norm = [](ConstSpan e) { return e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0; };
    EXPECT_GT(std::abs(norm(free.state(free.size() - 1))), 1e-9);
    EXPECT_GT(*free.certificate().energy_change, 1e-9);
    EXPECT_LT(*kept.certificate().energy_change, 1e-14);
    double drift = 0.0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      EXPECT_NEAR(norm(kept.state(i)), 0.0, 1e-14);
      drift = std::fmax(drift, std::abs(kept.state(i)[7]));
    }
    EXPECT_GT(drift, 1e-12);
    EXPECT_LT(drift, 1e-4);
  }
}

// An ODE with an invariant: no velocities at all. x' = x (1 - y), y' = y (x - 1) keeps x - ln x + y - ln y.
struct Prey {
  template <class T>
  void rates(In<T> x, In<T>, const T&, Out<T> dx) const {
    dx[0] = x[0] * (1.0 - x[1]);
    dx[1] = x[1] * (x[0] - 1.0);
  }
  template <class T>
  void position_invariants(In<T> x, const T&, Out<T> i) const {
    using std::log;
    i[0] = x[0] - log(x[0]) + x[1] - log(x[1]) - (3.0 - std::log(1.5) - std::log(1.5));
  }
};

TEST(Invariants, OfAnOrdinaryDifferentialEquation) {
  const auto prey = mechanical(Prey{}, {.q = 2, .v = 0, .position_invariants = 1});
  const Solution run = solve(prey, {1.5, 1.5}, {.span = {0.0, 200.0}, .tolerance = {1e-6, 1e-6}});
  ASSERT_TRUE(run.ok()) << run.failure().message();
  EXPECT_LT(run.certificate().position, 1e-14);
  const Solution fine = solve(prey, {1.5, 1.5}, {.span = {0.0, 200.0}, .tolerance = {1e-11, 1e-11}});
  EXPECT_NEAR(run.state(run.size() - 1)[0], fine.state(fine.size() - 1)[0], 1e-3);
}

// A repeats what the derivative of g says, with another speed: nothing satisfies both.
struct Contradicting {
  void force(auto, auto, auto, auto) const {}
  void constraint(auto q, auto, auto g) const { g[0] = q[0] + 2.0 * q[1]; }
  void velocity_constraint(auto, auto v, auto, auto h) const { h[0] = v[0] + 2.0 * v[1] - 0.1; }
};

TEST(WideRuns, NameContradictingRows) {
  const auto equations = mechanical(
      Contradicting{}, {.q_names = {"x", "y"}, .constraint_names = {"rail"}, .velocity_constraint_names = {"belt"}});
  const Solution run = solve(equations, {0.0, 0.0, 0.0, 0.0}, {.span = {0.0, 1.0}});
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.failure().kind, FailureKind::rank_deficient) << run.failure().message();
  EXPECT_NE(run.failure().where.find("belt"), std::string::npos) << run.failure().message();
}

}  // namespace
}  // namespace driftless::wide_test
