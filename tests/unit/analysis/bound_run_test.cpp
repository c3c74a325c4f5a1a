// The option that makes a run of index 1 carry an error bound; how good the bounds are: tests/reference.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/stability/run_bound.h"
#include "driftless/core/failure.h"
#include "driftless/equations/index1_enclosed.h"
#include "testset/problem.h"

namespace driftless::bound_run_test {
namespace {

// y' = -y + z, z + z^3 = y: decays.
struct Decay {
  void F(auto y, auto z, auto, auto out) const { out[0] = -2.0 * y[0] + z[0]; }
  void G(auto y, auto z, auto, auto out) const { out[0] = y[0] - z[0] - z[0] * z[0] * z[0]; }
};

const Vector start = {2.0, 1.0};

Index1 decay() { return enclosed_partitioned(Decay{}, {.y = 1, .z = 1}); }

TEST(BoundRunOption, PutsABoundBesideEveryState) {
  const Solution run = solve(decay(), start, {.span = {0.0, 1.0}, .error_bound = logarithmic_norm_bound()});
  ASSERT_TRUE(run.error_bound());
  const ErrorBound& bound = *run.error_bound();
  EXPECT_EQ(bound.norm, "2-norm");
  ASSERT_EQ(bound.at.size(), run.size());
  for (std::size_t n = 0; n < run.size(); ++n) EXPECT_EQ(bound.at[n].time, run.time(n));
  EXPECT_TRUE(bound.valid);
  EXPECT_TRUE(bound.certain);
  EXPECT_EQ(bound.valid_until, 1.0);
  EXPECT_EQ(bound.dominant, ErrorBound::Residual::differential);
  EXPECT_STREQ(name_of(bound.dominant), "differential");
  EXPECT_GT(bound.at.back().total(), 0.0);
  EXPECT_LT(bound.at.back().total(), 1e-5);
  EXPECT_NE(bound.verdict.find("In the 2-norm, the error at t = 1 is at most"), std::string::npos);
  const auto [same, all] = solve_bounded(decay(), start, {.span = {0.0, 1.0}});
  EXPECT_EQ(all.at.back().p, bound.at.back().differential);
  EXPECT_EQ(same.error_bound()->at.back().algebraic, bound.at.back().algebraic);
  EXPECT_FALSE(solve(decay(), start, {.span = {0.0, 1.0}}).error_bound());
}

// Many small steps of high order leave little in the differential equations; a Newton iteration that stops early leaves
// its mark in the constraint.
TEST(BoundRunOption, TellsWhichResidualDominates) {
  const auto run = [](double newton) {
    return solve(decay(), start,
                 {.span = {0.0, 1.0},
                  .steps = 40,
                  .method = {.tableau = radau_iia(3)},
                  .newton = {newton, newton, 50},
                  .error_bound = logarithmic_norm_bound({.norm = Norm::maximum()})});
  };
  const Solution tight = run(1e-13), loose = run(1e-2);
  EXPECT_EQ(tight.error_bound()->dominant, ErrorBound::Residual::differential);
  EXPECT_LT(tight.error_bound()->constraint_share, 0.1);
  EXPECT_EQ(loose.error_bound()->dominant, ErrorBound::Residual::constraint);
  EXPECT_GT(loose.error_bound()->constraint_share, 0.5);
  EXPECT_GT(loose.error_bound()->at.back().total(), 100.0 * tight.error_bound()->at.back().total());
  EXPECT_NE(loose.error_bound()->verdict.find("tighter Newton iterations"), std::string::npos);
  EXPECT_NE(tight.error_bound()->verdict.find("smaller steps or a tighter tolerance"), std::string::npos);
}

TEST(BoundRunOption, IsRefusedWhereItCannotBe) {
  const ErrorBoundRule rule = logarithmic_norm_bound();
  EXPECT_THROW(solve(decay(), start, {.keep_every = 2, .error_bound = rule}), Misuse);
  EXPECT_THROW(solve(decay(), start, {.output_times = {0.5}, .error_bound = rule}), Misuse);
  const auto pendulum = testset::problem("pendulum_schropp");
  EXPECT_THROW(solve(pendulum.equations, pendulum.start, {.error_bound = rule}), Misuse);
}

}  // namespace
}  // namespace driftless::bound_run_test
