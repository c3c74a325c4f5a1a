// The decisions of adaptive Radau steps, from attempts that never took place.
#include "driftless/integrate/radau_controller.h"

#include <gtest/gtest.h>

#include "driftless/driftless.h"
#include "driftless/integrate/checkpoint.h"

namespace driftless::radau_controller_test {
namespace {

struct Decay {
  void f(auto x, auto, auto out) const { out[0] = -x[0]; }
};

using Outcome = RadauNewton::Outcome;

struct Decisions {
  explicit Decisions(AdaptiveOptions given = {}, int most_coupled = 0)
      : options(given),
        form(index1(Decay{}, {.projector = Matrix::identity(1)}), options),
        controller(options, false, most_coupled),
        attempt(form) {
    clock.propose(0.1);
  }

  RadauController::Verdict see(Outcome outcome, double error, double contraction = 1e-4,
                               ManifoldStatus settled = ManifoldStatus::ok) {
    proposal = controller.propose(clock);
    attempt.newton = {.outcome = outcome, .iterations = 2, .contraction = contraction, .retry_factor = 0.5};
    attempt.error = error;
    attempt.settled = settled;
    return controller.judge(attempt, clock);
  }

  AdaptiveOptions options;
  RadauForm form;
  RadauController controller;
  RadauAttempt attempt;
  Clock clock{0.0, 100.0, {}};
  RadauProposal proposal = {};
};

TEST(RadauController, AnAcceptedStepMovesTheClockAndKeepsFastMatrices) {
  Decisions run;
  EXPECT_TRUE(run.see(Outcome::converged, 0.27).accepted);
  EXPECT_EQ(run.clock.time(), 0.1);
  EXPECT_TRUE(run.proposal.refresh.jacobian && run.proposal.refresh.factors);
  EXPECT_EQ(run.clock.h(), 0.1);  // 1.09 times as much is not worth a factorisation
  run.see(Outcome::converged, 1e-3);
  EXPECT_FALSE(run.proposal.refresh.jacobian || run.proposal.refresh.factors);
  EXPECT_GT(run.clock.h(), 0.2);
  run.see(Outcome::converged, 0.27);
  EXPECT_FALSE(run.proposal.refresh.jacobian);
  EXPECT_TRUE(run.proposal.refresh.factors);
}

TEST(RadauController, ASlowIterationGetsANewJacobianAndIsCounted) {
  Decisions run;
  run.see(Outcome::converged, 0.5, 0.05);
  EXPECT_TRUE(run.controller.propose(run.clock).refresh.jacobian);
  Statistics statistics;
  run.controller.count(statistics);
  EXPECT_EQ(statistics.jacobians_slow_newton, 1u);
}

// Where a factorisation costs many solutions, a slower iteration and a shorter step are the better bargain.
TEST(RadauController, DearFactorsServeLonger) {
  for (const bool dear : {false, true}) {
    Decisions run;
    run.attempt.factor_cost = calibrated::dear_factors * (dear ? 1.01 : 0.99);
    run.see(Outcome::converged, 0.05, 0.02);
    EXPECT_EQ(run.clock.h() == 0.1, dear);  // 1.6 times as much was wanted
    const RefreshOrder refresh = run.controller.propose(run.clock).refresh;
    EXPECT_EQ(refresh.jacobian, !dear);
    EXPECT_EQ(refresh.factors, !dear);
    run.see(Outcome::converged, 1e-5, 0.02);
    EXPECT_GT(run.clock.h(), 0.2);  // more than twice as much is worth it
  }
}
TEST(RadauController, DearFactorsAreGivenUpWhereTheyLimitTheStep) {
  Decisions run;
  run.attempt.factor_cost = 100.0;
  run.see(Outcome::converged, 1e-5, 0.06);  // Newton allows 1.3 times as much, of a wanted 8
  EXPECT_TRUE(run.controller.propose(run.clock).refresh.jacobian);
  EXPECT_GT(run.clock.h(), 0.12);
}
TEST(RadauController, DearFactorsAreGivenUpForASlowIteration) {
  Decisions run;
  run.attempt.factor_cost = 100.0;
  run.see(Outcome::converged, 0.27, 0.2);
  EXPECT_TRUE(run.controller.propose(run.clock).refresh.jacobian);
}

TEST(RadauController, EachRejectionHasItsCauseAndAShorterStep) {
  Decisions run;
  run.see(Outcome::converged, 0.5);
  const double t = run.clock.time();
  double h = run.clock.h();
  for (const auto& [verdict, cause] :
       {std::pair{run.see(Outcome::converged, 2.0), RejectionCause::error},
        std::pair{run.see(Outcome::diverged, 0.0), RejectionCause::newton},
        std::pair{run.see(Outcome::converged, 0.5, 1e-4, ManifoldStatus::not_converged), RejectionCause::projection}}) {
    EXPECT_FALSE(verdict.accepted);
    EXPECT_EQ(verdict.cause, cause);
  }
  EXPECT_EQ(run.clock.time(), t);
  EXPECT_LT(run.clock.h(), 0.25 * h);
  h = run.clock.h();
  EXPECT_TRUE(run.see(Outcome::converged, 1e-9).accepted);
  EXPECT_EQ(run.clock.h(), h);  // and does not grow at once
  EXPECT_FALSE(run.see(Outcome::converged, std::nan("")).accepted);
}

TEST(RadauController, AfterARejectionTheStepIsEstimatedTwiceAndNothingIsPredicted) {
  Decisions run;
  run.see(Outcome::converged, 0.5);
  EXPECT_TRUE(run.proposal.estimate_twice);  // nothing is known of a first step
  run.see(Outcome::converged, 0.5);
  EXPECT_FALSE(run.proposal.estimate_twice);
  EXPECT_TRUE(run.proposal.predicted);
  run.see(Outcome::converged, 2.0);
  run.see(Outcome::converged, 0.5);
  EXPECT_TRUE(run.proposal.estimate_twice);
  EXPECT_FALSE(run.proposal.predicted);
}

TEST(RadauController, FailuresInARowLookBeyondTheKink) {
  Decisions run;
  run.see(Outcome::converged, 0.5);
  for (int failure = 1; failure <= 4; ++failure)
    EXPECT_EQ(run.see(Outcome::diverged, 0.0).remember_point, failure == 4) << failure;
  EXPECT_TRUE(run.controller.propose(run.clock).refresh.beyond);
}

TEST(RadauController, CouplesAfterTwoFailuresWithTheSameStep) {
  Decisions run({}, 7);
  run.see(Outcome::converged, 0.5);
  run.see(Outcome::diverged, 0.0);
  const double h = run.clock.h();
  run.see(Outcome::diverged, 0.0);
  EXPECT_EQ(run.clock.h(), h);
  EXPECT_TRUE(run.controller.propose(run.clock).coupled);
  EXPECT_EQ(run.controller.stages(), 5);  // at the default tolerance, with coupled stages
}

TEST(RadauController, AFailedProbeIsNoRejection) {
  Decisions run({}, 7);
  run.see(Outcome::converged, 0.5);
  run.see(Outcome::diverged, 0.0);
  run.see(Outcome::diverged, 0.0);
  for (int step = 0; step < 8; ++step) {
    EXPECT_TRUE(run.see(Outcome::converged, 0.5).accepted);
    EXPECT_TRUE(run.proposal.coupled) << step;
  }
  const double h = run.clock.h();
  const auto verdict = run.see(Outcome::diverged, 0.0);
  EXPECT_FALSE(run.proposal.coupled);
  EXPECT_FALSE(verdict.accepted || verdict.cause);
  EXPECT_EQ(run.clock.h(), h);
  run.see(Outcome::converged, 0.5);
  EXPECT_TRUE(run.proposal.coupled);
}

TEST(RadauController, RemembersEverythingInACheckpoint) {
  Decisions run({}, 7), resumed({}, 7);
  run.see(Outcome::converged, 0.5);
  for (int step = 0; step < 40; ++step) {
    // Every kind of decision, in some order.
    const double error = 0.1 + 0.3 * (step % 5);
    run.see(step % 7 == 3 ? Outcome::diverged : Outcome::converged, error, step % 3 == 0 ? 0.2 : 1e-4);
    CheckpointWriter writer("test");
    writer(run.controller, run.clock);
    CheckpointReader reader(writer.text(), "test");
    reader(resumed.controller, resumed.clock);
    resumed.controller.restore();
    CheckpointWriter again("test");
    again(resumed.controller, resumed.clock);
    ASSERT_EQ(writer.text(), again.text());
    Decisions copy = Decisions({}, 7);
    copy.controller = resumed.controller;
    copy.clock = resumed.clock;
    Decisions original = Decisions({}, 7);
    original.controller = run.controller;
    original.clock = run.clock;
    EXPECT_EQ(copy.see(Outcome::converged, 0.7).accepted, original.see(Outcome::converged, 0.7).accepted);
    EXPECT_EQ(copy.clock.h(), original.clock.h()) << step;
    EXPECT_EQ(copy.proposal.stages, original.proposal.stages) << step;
  }
  Decisions few({.radau = {.most_stages = 3}}), many({.radau = {.least_stages = 5}});
  CheckpointWriter writer("test");
  writer(many.controller);
  CheckpointReader reader(writer.text(), "test");
  reader(few.controller);
  EXPECT_THROW(few.controller.restore(), Misuse);
}

}  // namespace
}  // namespace driftless::radau_controller_test
