// The embedding (3.1) of the attracting-sets paper.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/geometric/embedded_run.h"
#include "driftless/driftless.h"
#include "testset/problem.h"

namespace driftless::embedding_test {
namespace {

Index2 stated(const char* name) { return index2_of(testset::problem(name).equations); }

// mu_2(-B) <= -1.5 wherever a run goes.
struct Decay {
  void decay(auto u, auto t, auto b) const {
    using std::sin;
    b(0, 0) = 2.0 + 0.5 * sin(t) + u[0] * u[0];
  }
};

template <class Call>
std::string misuse(Call&& call) {
  try {
    call();
  } catch (const Misuse& error) {
    return error.what();
  }
  return "";
}

const char* const methods[] = {"radau-iia-2", "radau-ia-2", "sdirk-2-half", "lobatto-iiic-3", "hem3", "hem5"};

// (3.3)-(3.6) are (2.5)-(2.8) when g(u_0) = 0.
TEST(Embedding, IsTheOriginalMethodOnTheConstraint) {
  for (const char* name : {"limit_cycle_sphere", "mms_index2_gamma"}) {
    const testset::Problem problem = testset::problem(name);
    const Index2 original = stated(name);
    const Embedding embedding = embed(original, Decay{});
    const std::size_t n = original.u_size(), m = original.lambda_size();
    for (const char* tableau : methods) {
      SCOPED_TRACE(fmt::format("{}, {}", name, tableau));
      const Method method{.tableau = tableau_by_name(tableau)};
      const Solution plain = solve(original, problem.start, {.span = {0.0, 0.5}, .steps = 50, .method = method});
      const auto run =
          run_embedded(embedding, 0.0, plain.state(0), {.method = method, .step_size = 0.01, .steps = 50}).value();
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(run.final_state[i], plain.state(50)[i], 1e-13);
      for (std::size_t i = 0; i < m; ++i) {
        EXPECT_NEAR(run.final_state[n + i], 0.0, 1e-15);
        EXPECT_NEAR(run.final_state[n + m + i], plain.state(50)[n + i], 1e-10);
      }
    }
  }
}

// Off the constraint v' = -B v: the residual decays like exp(-rate t), and solutions arrive on the sphere.
TEST(Embedding, StartsOffTheConstraintComeBack) {
  const Index2 original = stated("limit_cycle_sphere");
  for (double rate : {1.0, 4.0}) {
    const Embedding embedding = embed(original, rate);
    for (const char* tableau : methods) {
      SCOPED_TRACE(fmt::format("rate {}, {}", rate, tableau));
      const auto run = run_embedded(embedding, 0.0, Vector{0.9, 0.2, 0.6},
                                    {.method = {.tableau = tableau_by_name(tableau)}, .step_size = 0.01, .steps = 400})
                           .value();
      EXPECT_NEAR(run.residuals.front(), 0.21, 1e-14);
      EXPECT_DOUBLE_EQ(run.worst_logarithmic_norm, -rate);
      EXPECT_NEAR(run.measured_decay, rate, 2e-3 * rate);
      EXPECT_NEAR(run.residuals.back(), 0.21 * std::exp(-4.0 * rate), 0.01 * 0.21 * std::exp(-4.0 * rate));
    }
  }
}

TEST(Embedding, StateDependentBDecaysAtLeastAsPromised) {
  const Embedding embedding = embed(stated("mms_index2_gamma"), Decay{});
  const auto run =
      run_embedded(embedding, 0.0, Vector{1.05, 0.0, 0.95}, {.step_size = 0.01, .steps = 300, .least_decay = 1.5})
          .value();
  EXPECT_LT(run.worst_logarithmic_norm, -1.5);
  EXPECT_GT(run.measured_decay, 1.5);
  for (std::size_t i = 1; i < run.residuals.size(); ++i) EXPECT_LT(run.residuals[i], run.residuals[i - 1]);
}

TEST(Embedding, DerivativesAreThoseOfItsFunctions) {
  const Embedding embedding = embed(stated("mms_index2_gamma"), Decay{});
  const Index2& form = embedding.equations();
  const Vector x{0.8, 0.3, 0.7, 0.1}, lambda{0.9};
  const double t = 0.4, step = 1e-6;
  Matrix f(4, 6), g(1, 5);
  form.functions().f_jacobian(x, lambda, t, f);
  form.functions().g_jacobian(x, t, g);
  for (std::size_t j = 0; j < 6; ++j) {
    Vector above(4), below(4), g_above(1), g_below(1);
    for (double sign : {1.0, -1.0}) {
      Vector moved = x, multiplier = lambda;
      double time = t;
      (j < 4 ? moved[j] : j == 4 ? multiplier[0] : time) += sign * step;
      form.functions().f(moved, multiplier, time, sign > 0 ? above : below);
      form.functions().g(moved, time, sign > 0 ? g_above : g_below);
    }
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(f(i, j), (above[i] - below[i]) / (2 * step), 1e-8) << i << j;
    const double by_g = j == 4 ? 0.0 : g(0, std::min<std::size_t>(j, 4));  // lambda does not occur in g
    EXPECT_NEAR(by_g, (g_above[0] - g_below[0]) / (2 * step), 1e-8) << j;
  }
}

TEST(Embedding, NamesTellWhatIsWhat) {
  const Embedding embedding = embed(stated("limit_cycle_sphere"));
  EXPECT_EQ(embedding.equations().layout().names(), (Names{"x", "y", "z", "v(sphere)", "lambda"}));
  EXPECT_EQ(embedding.equations().constraint_names(), (Names{"sphere"}));
}

struct TurnsUnstable {
  void decay(auto u, auto, auto b) const { b(0, 0) = u[2]; }
};

TEST(Embedding, UnstableBIsToldInWords) {
  const Index2 original = stated("limit_cycle_sphere");
  EXPECT_EQ(misuse([&] { embed(original, -1.0); }),
            "B = rate I must have a positive rate to lead back to the constraint, but it is -1");
  EXPECT_EQ(
      misuse([&] { embed(original, Matrix(1, 1, -0.5)); }),
      "B is not stable: the logarithmic norm of -B is 0.5, but it must be below 0, or solutions do not approach the "
      "constraint");
  EXPECT_EQ(misuse([&] { embed(original, Matrix(2, 2, 1.0)); }), "B is 2 x 2, but there are 1 constraints");
  const auto run = run_embedded(embed(original, TurnsUnstable{}), 0.0, Vector{0.6, 0.0, 0.9},
                                {.step_size = 0.01, .steps = 100000, .least_decay = 0.5});
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.failure().kind, FailureKind::assumption_violated);
  EXPECT_EQ(run.failure().what_happened.substr(0, 52), "B is not stable: the logarithmic norm of -B is -0.49");
  EXPECT_NE(run.failure().what_happened.find("not below -0.5"), std::string::npos) << run.failure().what_happened;
  EXPECT_EQ(run.failure().where.substr(0, 4), "x = ");
}

}  // namespace
}  // namespace driftless::embedding_test
