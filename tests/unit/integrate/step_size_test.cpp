#include "driftless/integrate/step_size.h"

#include <gtest/gtest.h>

namespace driftless::step_size_test {
namespace {

constexpr double exponent = 1.0 / 5.0;

TEST(StepSize, AnErrorOfOrderFiveAsksForItsFifthRoot) {
  StepSize size;
  EXPECT_NEAR(size.accepted(0.1, 0.0, 1.0 / 32.0, exponent, 1), 0.1 * 0.9 * 2.0, 1e-15);
}

TEST(StepSize, MoreIterationsMakeItMoreCautious) {
  StepSize a, b;
  EXPECT_LT(a.accepted(0.1, 0.0, 0.5, exponent, 6), b.accepted(0.1, 0.0, 0.5, exponent, 1));
}

TEST(StepSize, GrowsEightfoldAndShrinksToAFifthAtMost) {
  StepSize a, b, c;
  EXPECT_EQ(a.accepted(0.1, 0.0, 1e-10, exponent, 1), 0.1 * 8.0);
  EXPECT_EQ(b.too_large(0.1, 1e9, exponent, false), 0.2);
  EXPECT_EQ(c.too_large(0.1, 1e9, exponent, true), 0.1);
  EXPECT_EQ(c.too_large(0.1, std::nan(""), exponent, false), 0.1);
}

// Two steps of the same size whose errors grow by q: the next would have q again, and is planned for that.
TEST(StepSize, PredictsThatErrorsGoOnGrowing) {
  StepSize size;
  constexpr double first = 0.1, q = 3.0;
  size.accepted(0.1, 0.0, first, exponent, 1);
  const double wanted = size.accepted(0.1, 0.1, first * q, exponent, 1);
  EXPECT_NEAR(wanted, 0.1 * 0.9 * std::pow(first * q * q, -exponent), 1e-15);
}

TEST(StepSize, DoesNotGrowAfterARejection) {
  StepSize size;
  size.reject();
  EXPECT_TRUE(size.rejected());
  EXPECT_EQ(size.after_rejection(0.3, 0.1), 0.1);
  EXPECT_EQ(size.after_rejection(0.3, 0.1), 0.3);  // the step after that does
  size.reject();
  EXPECT_EQ(size.after_rejection(0.05, 0.1), 0.05);
}

// Errors that fall like h, not like h^5: the second rejection knows.
TEST(StepSize, AfterTwoRejectionsTheObservedOrderCounts) {
  StepSize size;
  const double first = size.too_large(0.1, 3.0, exponent, false);
  EXPECT_NEAR(first, 0.9 * std::pow(3.0, -exponent), 1e-15);
  const double second = size.too_large(0.1 * first, 3.0 * first, exponent, false);
  EXPECT_NEAR(second, 0.9 / (3.0 * first), 1e-14);
  // Never a higher order than that of the method, and none from before an accepted step.
  EXPECT_NEAR(size.too_large(0.05, 1.001, exponent, false), 0.9 * std::pow(1.001, -exponent), 1e-3);
  size.after_rejection(0.1, 0.1);
  EXPECT_NEAR(size.too_large(0.01, 3.0, exponent, false), first, 1e-15);
}

TEST(ExplicitStepSize, FollowsTheOrderWithinItsLimits) {
  ExplicitStepSize size(8);
  EXPECT_NEAR(size.accepted(std::pow(0.5, 8)), 0.77 * 2.0, 1e-15);
  EXPECT_EQ(size.accepted(0.0), 6.0);
  EXPECT_EQ(size.too_large(1e30), 1.0 / 3.0);
  EXPECT_EQ(size.too_large(std::nan("")), 0.1);
}

TEST(ExplicitStepSize, DoesNotGrowAfterARejection) {
  ExplicitStepSize size(8);
  size.reject();
  EXPECT_EQ(size.accepted(1e-8), 1.0);
  EXPECT_GT(size.accepted(1e-8), 1.0);
}

// Order 5 remembers the last error: one that has grown allows less than the same one that has fallen.
TEST(ExplicitStepSize, RemembersTheLastError) {
  ExplicitStepSize grown(5), fallen(5);
  grown.accepted(1e-3);
  fallen.accepted(0.9);
  EXPECT_LT(grown.accepted(0.1), 0.8 * fallen.accepted(0.1));
}

}  // namespace
}  // namespace driftless::step_size_test
