#include "driftless/integrate/clock.h"

#include <gtest/gtest.h>

namespace driftless::clock_test {
namespace {

TEST(Clock, MeetsTheEndExactly) {
  Clock clock(0.1, 1.0, {});
  clock.propose(0.3);
  EXPECT_EQ(clock.target(), 0.1 + 0.3);
  EXPECT_TRUE(clock.at_beginning());
  clock.advance();
  EXPECT_EQ(clock.last_h(), 0.3);
  EXPECT_FALSE(clock.at_beginning());
  EXPECT_FALSE(clock.finished());
  clock.propose(5.0);
  EXPECT_EQ(clock.h(), 1.0 - (0.1 + 0.3));
  clock.advance();
  EXPECT_EQ(clock.time(), 1.0);
  EXPECT_TRUE(clock.finished());
}

TEST(Clock, StretchesAStepToTheEndIfHardlyAnythingWouldBeLeft) {
  for (const double direction : {1.0, -1.0}) {
    Clock clock(0.0, direction, {});
    EXPECT_TRUE(clock.propose(direction / calibrated::stretch_to_end * (1.0 + 1e-12)));
    EXPECT_EQ(clock.h(), direction);
    const double shorter = direction / calibrated::stretch_to_end * (1.0 - 1e-12);
    clock.propose(shorter);
    EXPECT_EQ(clock.h(), shorter);
  }
}

TEST(Clock, KeepsItsStepUnlessItIsTheLastOne) {
  Clock clock(0.0, 1.0, {});
  clock.propose(0.3);
  clock.advance();
  EXPECT_FALSE(clock.propose(0.31, true));
  EXPECT_EQ(clock.h(), 0.3);
  clock.advance();
  clock.advance();
  EXPECT_TRUE(clock.propose(0.31, true));
  EXPECT_EQ(clock.target(), 1.0);
}

TEST(Clock, AShorterAttemptIsNotTheLastStep) {
  Clock clock(0.0, 1.0, {});
  clock.propose(2.0);
  clock.retry(0.5);
  EXPECT_EQ(clock.target(), 0.5);
  clock.advance();
  EXPECT_FALSE(clock.finished());
}

TEST(Clock, LimitsSizesAndAttempts) {
  Clock clock(0.0, -10.0, {.largest = 0.5, .limit = 2});
  EXPECT_EQ(clock.limited(-3.0), -0.5);
  EXPECT_EQ(clock.limited(-0.2), -0.2);
  EXPECT_TRUE(clock.count_attempt());
  EXPECT_TRUE(clock.count_attempt());
  EXPECT_FALSE(clock.count_attempt());
}

TEST(Clock, SeesAStepThatRoundingSwallows) {
  Clock clock(1e6, 2e6, {});
  clock.propose(1e-8);
  EXPECT_FALSE(clock.collapsed());
  clock.retry(0.1);
  EXPECT_TRUE(clock.collapsed());
}

// Once more with the size that leads to the end, as with coupled stages, or by rounding with a shorter one.
TEST(Clock, AStepTriedAgainThatEndsAtTheEndIsTheLast) {
  Clock clock(0.25, 1.0, {});
  clock.propose(10.0);
  clock.retry(1.0);
  EXPECT_DOUBLE_EQ(clock.target(), 1.0);
  clock.advance();
  EXPECT_TRUE(clock.finished());
  EXPECT_EQ(clock.time(), 1.0);
}

}  // namespace
}  // namespace driftless::clock_test
