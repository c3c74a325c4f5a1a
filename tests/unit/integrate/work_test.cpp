// Counts against models that count for themselves: every call of a formula with plain numbers is an evaluation.
#include "driftless/step/work.h"

#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

#include "driftless/driftless.h"
#include "driftless/integrate/integrator.h"
#include "driftless/step/stepper.h"

namespace driftless::work_test {
namespace {

using Count = std::shared_ptr<std::size_t>;
Count counter() { return std::make_shared<std::size_t>(0); }

template <class X>
void count_call(const Count& count, const X&) {
  if constexpr (std::is_same_v<X, double>) ++*count;
}

// Linear, of index 2: one iteration solves the stages, the next one sees it.
struct LinearIndex2 {
  Count calls;
  void f(auto u, auto l, auto, auto out) const {
    count_call(calls, std::decay_t<decltype(u[0])>(0.0));
    out[0] = -u[0] + l[0];
    out[1] = -2.0 * u[1] + l[0];
  }
  void g(auto u, auto, auto out) const { out[0] = u[0] + u[1] - 1.0; }
};

// lambda enters nonlinearly: half-explicit stages iterate.
struct CubicIndex2 {
  Count calls;
  void f(auto u, auto l, auto, auto out) const {
    count_call(calls, std::decay_t<decltype(u[0])>(0.0));
    out[0] = -u[1] + l[0] + 0.1 * l[0] * l[0] * l[0];
    out[1] = u[0] + l[0];
  }
  void g(auto u, auto t, auto out) const { out[0] = u[0] + u[1] - 1.0 - 0.3 * t; }
};

struct CountedPendulum {
  Count calls;
  void force(auto q, auto, auto, auto f) const {
    count_call(calls, std::decay_t<decltype(q[0])>(0.0));
    f[1] = -1.0;
  }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

// Van der Pol: an ODE, so that no projection or multiplier asks for anything.
struct CountedOscillator {
  Count calls, jacobians;
  double stiffness;
  void f(auto x, auto, auto out) const {
    count_call(calls, std::decay_t<decltype(x[0])>(0.0));
    out[0] = x[1];
    out[1] = stiffness * (1.0 - x[0] * x[0]) * x[1] - x[0];
  }
  void f_jacobian(auto x, auto, auto j) const {
    ++*jacobians;
    j(0, 1) = 1.0;
    j(1, 0) = -2.0 * stiffness * x[0] * x[1] - 1.0;
    j(1, 1) = stiffness * (1.0 - x[0] * x[0]);
  }
};

// Calls of one attempt, and what it says.
std::pair<std::size_t, Attempt> attempt(const Equations& equations, const Count& calls, ConstSpan start,
                                        Method method) {
  method.despite_conditions = true;
  const auto stepper = make_stepper(equations, method);
  const auto workspace = stepper->make_workspace();
  Attempt out = stepper->make_attempt();
  // The second attempt finds whatever the first one left behind.
  for (int k = 0; k < 2; ++k) {
    *calls = 0;
    const auto failure = stepper->attempt(0.0, start, 0.05, *workspace, out);
    EXPECT_FALSE(failure) << failure->message();
  }
  return {*calls, out};
}

TEST(Work, OfAFixedStepIsWhatTheModelSaw) {
  for (const auto& tableau : {radau_iia(1), radau_iia(2), radau_iia(3), gauss(2), lobatto_iiic(3), sdirk4(), hem5()}) {
    const Method bare{.tableau = tableau, .projection = Projection::none, .multiplier = MultiplierRule::stages};
    Method hidden = bare;
    hidden.multiplier = MultiplierRule::hidden_constraint;
    const Count calls = counter();
    for (const Equations& equations : {Equations(index2(LinearIndex2{calls}, {.u = 2, .lambda = 1})),
                                       Equations(index2(CubicIndex2{calls}, {.u = 2, .lambda = 1}))}) {
      const auto [seen, out] = attempt(equations, calls, Vector{0.3, 0.7, 0.85}, bare);
      EXPECT_EQ(out.work.evaluations, seen) << tableau.name;
      EXPECT_GT(out.work.jacobians, 0u) << tableau.name;
      EXPECT_EQ(out.work.jacobians, out.work.factorisations) << tableau.name;
    }
    const Equations pendulum = mechanical(CountedPendulum{calls}, {.q = 2, .lambda = 1});
    const auto [seen, out] = attempt(pendulum, calls, Vector{1.0, 0.0, 0.0, 0.0, 0.0}, bare);
    EXPECT_EQ(out.work.evaluations, seen) << tableau.name;
    const auto [more, same] = attempt(pendulum, calls, Vector{1.0, 0.0, 0.0, 0.0, 0.0}, hidden);
    EXPECT_EQ(same.work.evaluations, out.work.evaluations) << tableau.name;  // the multiplier is not counted
    EXPECT_EQ(more, seen + 1) << tableau.name;
  }
}

// The numbers themselves: s stages in each of 2 iterations and the slope at the beginning; half-explicit: s.
TEST(Work, OfFixedStepsAddsUp) {
  const Count calls = counter();
  const Equations linear = index2(LinearIndex2{calls}, {.u = 2, .lambda = 1});
  const Equations pendulum = mechanical(CountedPendulum{calls}, {.q = 2, .lambda = 1});
  for (const auto& [tableau, stages] :
       {std::pair{radau_iia(1), 1}, {radau_iia(2), 2}, {radau_iia(3), 3}, {lobatto_iiic(3), 3}}) {
    const Solution solution = solve(linear, {0.3, 0.7, 0.85}, {.steps = 20, .method = {.tableau = tableau}});
    ASSERT_TRUE(solution.ok());
    const Statistics& count = solution.statistics();
    EXPECT_EQ(count.newton_iterations, 40u) << tableau.name;
    EXPECT_EQ(count.evaluations, static_cast<std::size_t>(20 * (1 + 2 * stages))) << tableau.name;
    EXPECT_EQ(count.jacobians, 20u) << tableau.name;
    EXPECT_EQ(count.factorisations, 20u) << tableau.name;
  }
  const Solution explicit_run = solve(pendulum, {1.0, 0.0}, {.steps = 50, .method = {.tableau = hem5()}});
  ASSERT_TRUE(explicit_run.ok());
  EXPECT_EQ(explicit_run.statistics().evaluations, 50 * hem5().stages());
  EXPECT_EQ(explicit_run.statistics().jacobians, 0u);
  EXPECT_EQ(explicit_run.statistics().factorisations, 0u);
}

// A step that fails has cost what it cost.
TEST(Work, OfAFailedStepCounts) {
  const Count calls = counter();
  const Equations pendulum = mechanical(CountedPendulum{calls}, {.q = 2, .lambda = 1});
  const Solution solution = solve(pendulum, {1.0, 0.0}, {.span = {0.0, 50.0}, .steps = 1});
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.statistics().steps, 0u);
  EXPECT_GT(solution.statistics().evaluations, 3u);
  EXPECT_EQ(solution.statistics().jacobians, 1u);
}

TEST(Work, OfAdaptiveStepsIsWhatTheModelSaw) {
  using enum AdaptiveMethod;
  for (const auto method : {automatic, radau, dop853, dopri5})
    for (const double stiffness : {1.0, 300.0})
      for (const bool with_dense : {false, true}) {
        const Count calls = counter(), jacobians = counter();
        const Equations equations =
            index1(CountedOscillator{calls, jacobians, stiffness}, {.projector = Matrix::identity(2)});
        const auto run = make_integrator(equations, {.method = method, .tolerance = {1e-5, 1e-8}}, 0.0,
                                         stiffness > 1.0 ? 400.0 : 20.0, Vector{2.0, 0.0});
        *calls = *jacobians = 0;  // of the search for a first step
        while (!run->finished()) {
          ASSERT_FALSE(run->step());
          if (with_dense) (void)run->dense();
        }
        EXPECT_EQ(run->statistics().evaluations, *calls) << static_cast<int>(method) << ", " << stiffness;
        EXPECT_EQ(run->statistics().jacobians, *jacobians) << static_cast<int>(method) << ", " << stiffness;
        EXPECT_GE(run->statistics().factorisations, *jacobians > 0 ? 1u : 0u);
      }
}

// Half-explicit pairs count as half-explicit methods do.
TEST(Work, OfHalfExplicitPairsIncludesTheirIterations) {
  const Count calls = counter();
  const Equations equations = index2(CubicIndex2{calls}, {.u = 2, .lambda = 1});
  const Solution solution = solve(equations, {0.3, 0.7, 0.0}, {.adaptive = AdaptiveMethod::hem5});
  ASSERT_TRUE(solution.ok());
  const Statistics& count = solution.statistics();
  EXPECT_GT(count.newton_iterations, count.steps);
  EXPECT_EQ(count.jacobians, count.factorisations);
  EXPECT_GT(count.evaluations, count.jacobians);
}

}  // namespace
}  // namespace driftless::work_test
