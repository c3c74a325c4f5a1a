#include "driftless/integrate/refresh.h"

#include <gtest/gtest.h>

namespace driftless::refresh_test {
namespace {

using enum RefreshCause;

// After one accepted step, nothing is due.
Refresh settled(bool patient = false, bool faithful = false) {
  Refresh refresh(patient, faithful);
  refresh.take();
  refresh.because(step_accepted);
  return refresh;
}

TEST(Refresh, TheTableHasOneLineForEachCauseInTheirOrder) {
  for (std::size_t k = 0; k < std::size(refresh_rules); ++k)
    EXPECT_EQ(refresh_rules[k].cause, static_cast<RefreshCause>(k));
  EXPECT_EQ(std::size(refresh_rules), static_cast<std::size_t>(newton) + 1);
}

TEST(Refresh, EverythingIsDueAtTheBeginningAndNothingAfterwards) {
  Refresh refresh(false, false);
  const RefreshOrder first = refresh.take();
  EXPECT_TRUE(first.jacobian && first.factors && first.from_zero);
  EXPECT_FALSE(first.beyond);
  refresh.because(step_accepted);
  const RefreshOrder second = refresh.take();
  EXPECT_FALSE(second.jacobian || second.factors || second.from_zero || second.beyond);
}

struct Line {
  RefreshCause cause;
  bool jacobian, jacobian_if_fresh, factors;
};

TEST(Refresh, EachCauseAsksForWhatItsLineSays) {
  for (const auto [cause, jacobian, if_fresh, factors] : {Line{slow_newton, true, true, false},
                                                          {other_size, false, false, true},
                                                          {other_order, false, false, true},
                                                          {coupling, true, true, false},
                                                          {error, true, false, true},
                                                          {projection, true, false, true},
                                                          {newton, true, true, true}}) {
    Refresh old = settled(), fresh = settled();
    old.because(cause);
    EXPECT_EQ(old.due().jacobian, jacobian) << static_cast<int>(cause);
    EXPECT_EQ(old.due().factors, factors) << static_cast<int>(cause);
    EXPECT_EQ(old.asked(cause), jacobian);
    fresh.because(slow_newton);
    fresh.take();  // a Jacobian of this step, but not of its beginning
    fresh.because(cause);
    EXPECT_EQ(fresh.due().jacobian, if_fresh) << static_cast<int>(cause);
  }
}

TEST(Refresh, AJacobianOfTheBeginningOutlivesAFailureOfNewton) {
  Refresh refresh = settled();
  refresh.because(slow_newton);
  refresh.take();
  refresh.because(newton, true);
  EXPECT_FALSE(refresh.due().jacobian);
  EXPECT_EQ(refresh.asked(newton), 0u);
  refresh.because(newton, false);
  EXPECT_TRUE(refresh.due().jacobian);
  EXPECT_EQ(refresh.asked(newton), 1u);
}

TEST(Refresh, EveryOtherFailureStartsFromZeroAndLateOnesLookBeyond) {
  Refresh refresh = settled();
  for (const auto [failure, from_zero, beyond] :
       {std::array{1, 0, 0}, {2, 1, 0}, {3, 0, 0}, {4, 1, 1}, {5, 0, 0}, {6, 1, 1}}) {
    EXPECT_EQ(refresh.because(newton, true), beyond) << failure;
    const RefreshOrder order = refresh.take();
    EXPECT_EQ(order.from_zero, from_zero) << failure;
    EXPECT_EQ(order.beyond, beyond) << failure;
    EXPECT_EQ(order.jacobian, failure == 1 || beyond) << failure;  // the first one was of an earlier step
    EXPECT_EQ(refresh.failures(), failure);
  }
  refresh.because(step_accepted);
  EXPECT_EQ(refresh.failures(), 0);
  EXPECT_FALSE(refresh.take().from_zero);
}

// Coupled stages may get across the kink without the Jacobian that was asked for.
TEST(Refresh, APointBeyondIsForgottenAfterAStep) {
  Refresh refresh = settled();
  for (int failure = 0; failure < 4; ++failure) refresh.because(newton, true);
  EXPECT_TRUE(refresh.due().beyond);
  refresh.because(step_accepted);
  EXPECT_FALSE(refresh.due().beyond);
}

TEST(Refresh, OnAccelerationLevelAStartFromZeroComesLate) {
  Refresh refresh = settled(true);
  for (const auto [failure, from_zero] : {std::array{1, 0}, {2, 0}, {3, 0}, {4, 1}}) {
    refresh.because(newton, true);
    EXPECT_EQ(refresh.take().from_zero, from_zero) << failure;
  }
}

TEST(Refresh, TheClassicSystemGoesOnWithThePolynomial) {
  Refresh refresh = settled(false, true);
  for (int failure = 0; failure < 8; ++failure) {
    EXPECT_FALSE(refresh.because(newton, true));
    EXPECT_FALSE(refresh.take().from_zero);
  }
  Refresh first(false, true);
  first.because(newton, true);
  EXPECT_TRUE(first.take().from_zero);  // there is none yet
}

}  // namespace
}  // namespace driftless::refresh_test
