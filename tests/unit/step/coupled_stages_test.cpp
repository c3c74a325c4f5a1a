// Newton's iteration with a Jacobian at each stage, against the one with a single Jacobian.
#include "driftless/step/coupled_stages.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "driftless/integrate/integrator.h"
#include "driftless/step/radau_step.h"
#include "testset/generators.h"
#include "testset/problem.h"

namespace driftless::coupled_stages_test {
namespace {

constexpr RadauNewtonOptions to_rounding{.limit = 40, .tolerance = 1e-4};

std::unique_ptr<StageEquations> stage_equations(const Equations& equations) {
  if (const auto* form = std::get_if<Mechanical>(&equations)) return make_acceleration_stage(*form);
  return make_stage_equations(equations);
}

// A step from a consistent state, and the next one predicted by it.
struct Steps {
  Equations equations;
  std::unique_ptr<StageEquations> form;
  RadauStep step;
  Vector state, weights;
  double t;

  Steps(const Equations& given, double begin, ConstSpan start, int stages)
      : equations(given),
        form(stage_equations(equations)),
        step(*form, 7),
        state(make_consistent(equations, begin, start).value().state),
        weights(form->size(), 1e8),
        t(begin) {
    step.set_stages(stages);
  }

  // One Jacobian for all stages is that of the point where the step begins.
  RadauNewton solve(double h, bool coupled) {
    Vector at(state), slope(form->size());
    make_manifold(equations)->derivative(t, at, slope);
    form->linearise(t, at, slope);
    step.couple(false);
    EXPECT_TRUE(step.factorise(h));
    step.couple(coupled);
    Vector scaled(weights);  // an error of a multiplier enters the solution like h
    for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] *= std::pow(h, form->power()[i]);
    double faccon = 1.0;
    return step.solve(t, state, h, scaled, to_rounding, faccon);
  }
  // Goes to the end of the step that has been solved, and predicts the next one.
  void advance(double h, double ratio) {
    const Matrix last = step.increments();
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += last(i, static_cast<std::size_t>(step.stages() - 1));
    t += h;
    step.continue_polynomial(last, step.stages(), ratio);
  }
};

struct Spinner {
  void force(auto q, auto v, auto s, auto t, auto f) const {
    using std::sin;
    f[0] = -3.0 * q[0] - 0.1 * v[0] + s[0] + sin(t);
    f[1] = -q[1] * q[0] - 1.0;
    f[2] = -0.5 * v[2] * v[2] * v[2] + s[0] * q[1];
  }
  void states(auto q, auto v, auto s, auto, auto ds) const { ds[0] = -4.0 * s[0] + q[2] * v[0]; }
  void mass(auto q, auto, auto M) const {
    for (std::size_t i = 0; i < 3; ++i) M(i, i) = 2.0 + q[i] * q[i];
    M(0, 1) = M(1, 0) = 0.3 * q[2];
  }
  void constraint(auto q, auto t, auto g) const {
    using std::cos;
    g[0] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 2.0 - cos(t);
  }
};

struct Case {
  const char* name;
  double h;
};

Steps steps_of(const Case& c, int stages) {
  if (std::string(c.name) == "with mass and states")
    return Steps(mechanical(Spinner{}, {.q = 3, .s = 1, .lambda = 1}), 0.0, Vector{1.0, 1.0, 1.0, 0.4, -0.4, 0.0, 0.2},
                 stages);
  const auto problem = testset::problem(c.name);
  return Steps(problem.equations, problem.begin, problem.start, stages);
}

// Both iterations end in the same increments, and the coupled one sooner or as soon.
TEST(CoupledStages, FindTheSameSolution) {
  int iterations_coupled = 0, iterations_of_one = 0;
  for (const Case& c : {Case{"pendulum_schropp", 0.05}, Case{"with mass and states", 0.05}, Case{"hlr_index2", 0.02},
                        Case{"mms_index2_gamma", 0.05}, Case{"redundant_parallelogram", 0.02}})
    for (int stages : {3, 5, 7}) {
      SCOPED_TRACE(std::string(c.name) + ", " + std::to_string(stages) + " stages");
      Steps steps = steps_of(c, stages);
      ASSERT_TRUE(steps.step.can_couple(stages));
      steps.step.start_from_zero();
      ASSERT_EQ(steps.solve(c.h, false).outcome, RadauNewton::Outcome::converged);
      steps.advance(c.h, 1.0);
      const Matrix predicted = steps.step.increments();
      const RadauNewton one = steps.solve(c.h, false);
      ASSERT_EQ(one.outcome, RadauNewton::Outcome::converged);
      const Matrix expected = steps.step.increments();
      steps.step.set_increments(predicted);
      const RadauNewton coupled = steps.solve(c.h, true);
      ASSERT_EQ(coupled.outcome, RadauNewton::Outcome::converged);
      EXPECT_LE(coupled.iterations, one.iterations);
      iterations_coupled += coupled.iterations;
      iterations_of_one += one.iterations;
      for (std::size_t j = 0; j < static_cast<std::size_t>(stages); ++j)
        for (std::size_t i = 0; i < steps.form->size(); ++i)
          EXPECT_NEAR(steps.step.increments()(i, j), expected(i, j),
                      1e-10 * (1.0 + std::abs(steps.state[i])) / std::pow(c.h, steps.form->power()[i]))
              << "component " << i << ", stage " << j;
    }
  EXPECT_LT(iterations_coupled, iterations_of_one);
}

// u' and g are linear: with the Jacobians of the stages one correction is the solution, and the second one rounding.
TEST(CoupledStages, SolveLinearProblemsAtOnce) {
  const auto problem = testset::problem("ascher_petzold_index2_alpha50");
  Steps steps(problem.equations, problem.begin, problem.start, 5);
  steps.step.start_from_zero();
  const RadauNewton newton = steps.solve(0.2, true);
  EXPECT_EQ(newton.outcome, RadauNewton::Outcome::converged);
  EXPECT_LE(newton.iterations, 3);
  EXPECT_LT(newton.contraction, 1e-9);
}

// Where k h^2 dphi^2 is large, one Jacobian leads nowhere, and coupled stages converge.
TEST(CoupledStages, FollowAStiffSpringThatTurns) {
  const Equations equations = testset::stiff_double_pendulum(1e6, 1e3);
  const auto run = make_integrator(equations, {.method = AdaptiveMethod::radau, .tolerance = {1e-10, 1e-10}}, 0.0, 2.5,
                                   testset::stiff_double_pendulum_start());
  while (!run->finished()) ASSERT_FALSE(run->step());
  Steps steps(equations, 2.5, run->state(), 5);
  steps.weights.assign(steps.weights.size(), 1e4);
  steps.weights.back() = 0.0;  // lambda is a million times what is left of the spring's length
  steps.step.start_from_zero();
  double h = 0.001;
  for (; h < 0.06; h *= 2.0) {
    ASSERT_EQ(steps.solve(h, true).outcome, RadauNewton::Outcome::converged) << h;
    steps.advance(h, 2.0);
  }
  const Matrix predicted = steps.step.increments();
  EXPECT_EQ(steps.solve(h, true).outcome, RadauNewton::Outcome::converged);
  steps.step.set_increments(predicted);
  EXPECT_NE(steps.solve(h, false).outcome, RadauNewton::Outcome::converged);
}

TEST(CoupledStages, AreForSmallSystems) {
  const auto problem = testset::problem("chain_pendulum_50");
  const auto form = make_acceleration_stage(std::get<Mechanical>(problem.equations));
  EXPECT_FALSE(RadauStep(*form, 7).can_couple(3));
  const auto circuit = testset::problem("transistor_amplifier");
  EXPECT_FALSE(RadauStep(*make_stage_equations(circuit.equations), 7).can_couple(3));
}

// u1' = -1000 (u1 - u2), u2' = -u2, with a constraint that does nothing to them.
struct FastAndSlow {
  void f(auto u, auto lambda, auto, auto out) const {
    out[0] = -1000.0 * (u[0] - u[1]);
    out[1] = -u[1];
    out[2] = lambda[0];
  }
  void g(auto u, auto, auto out) const { out[0] = u[2]; }
};

TEST(CoupledStages, TellStiffErrorsFromOthers) {
  const Equations equations = index2(
      FastAndSlow{}, {.u_names = {"fast", "slow", "held"}, .lambda_names = {"lambda"}, .constraint_names = {"g"}});
  Steps steps(equations, 0.0, Vector{1.0, 1.0, 0.0}, 3);
  steps.step.start_from_zero();
  const double h = 0.1;
  ASSERT_EQ(steps.solve(h, true).outcome, RadauNewton::Outcome::converged);
  Vector error{1.0, 0.0, 0.0, 0.0}, stiff(4);
  // hlambda/gamma = 100/3.64: (1 - 1/(1 + 27.5))^4 of it is stiff,
  steps.step.split_stiff(h, error, stiff);
  const double kept = std::pow(1.0 - 1.0 / (1.0 + 100.0 / steps.step.constants().gamma), 4);
  EXPECT_NEAR(stiff[0], kept, 1e-12);
  EXPECT_NEAR(error[0] + stiff[0], 1.0, 1e-12);
  // and of an error along the slow mode (1.001, 1) next to nothing.
  error = {1000.0 / 999.0, 1.0, 0.0, 0.0};
  steps.step.split_stiff(h, error, stiff);
  EXPECT_NEAR(stiff[1], std::pow(1.0 - 1.0 / (1.0 + 0.1 / steps.step.constants().gamma), 4), 1e-12);
  EXPECT_LT(std::abs(stiff[0]), 1e-6);
}

}  // namespace
}  // namespace driftless::coupled_stages_test
