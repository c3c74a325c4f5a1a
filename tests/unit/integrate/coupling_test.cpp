// When steps are limited by Newton's iteration, and when that couples the stages.
#include "driftless/integrate/coupling.h"

#include <gtest/gtest.h>

#include "driftless/integrate/newton_limit.h"

namespace driftless::coupling_test {
namespace {

// The contraction grows like h^2.
TEST(NewtonLimit, AllowsWhatIsExpectedToContractByATenth) {
  NewtonLimit limit;
  EXPECT_NEAR(limit.largest(-1.0, 0.025, false), 2.0, 1e-15);
  EXPECT_EQ(limit.largest(1.0, 0.9, false), 0.5);  // halved at most
  EXPECT_EQ(limit.largest(1.0, 0.0, false), 8.0);
  EXPECT_EQ(limit.largest(1.0, 0.0, true), 2.5);
}

TEST(NewtonLimit, StaysBelowTheStepThatFailedUntilOthersHaveGoneWell) {
  NewtonLimit limit;
  limit.failed(-1.0);
  EXPECT_EQ(limit.largest(0.8, 0.01, false), 0.9);
  EXPECT_NEAR(limit.largest(0.8, 0.01, false), 0.9 * 1.03, 1e-15);
  EXPECT_NEAR(limit.largest(0.8, 1e-4, false), 0.9 * 1.03 * 1.03, 1e-15);
  EXPECT_NEAR(limit.largest(0.8, 1e-4, false), 2.0 * 0.9 * 1.03 * 1.03, 1e-15);  // it was one fast step
  limit.forget();
  EXPECT_EQ(limit.largest(0.8, 0.0, false), 6.4);
}

TEST(Coupling, TwoLimitsInARowCouple) {
  Coupling coupling(true);
  EXPECT_FALSE(coupling.accepted(true));
  EXPECT_FALSE(coupling.accepted(false));  // which is forgotten
  EXPECT_FALSE(coupling.accepted(true));
  EXPECT_TRUE(coupling.limited());  // a failure counts like a limit
  EXPECT_TRUE(coupling.coupled());
}

TEST(Coupling, NotWhereItIsImpossible) {
  Coupling coupling(false);
  for (int k = 0; k < 50; ++k) EXPECT_FALSE(coupling.limited());
  EXPECT_FALSE(coupling.coupled());
}

void couple(Coupling& coupling) {
  while (!coupling.limited()) {
  }
}

void take_coupled_steps(Coupling& coupling, int steps) {
  for (int k = 0; k < steps; ++k) {
    EXPECT_FALSE(coupling.begins_probe()) << k;
    EXPECT_FALSE(coupling.accepted(true));
  }
}

TEST(Coupling, IsTriedWithoutAfterEightStepsAndLessOftenIfThatFails) {
  Coupling coupling(true);
  couple(coupling);
  take_coupled_steps(coupling, 8);
  ASSERT_TRUE(coupling.begins_probe());
  EXPECT_FALSE(coupling.coupled());
  EXPECT_TRUE(coupling.probing());
  coupling.end_probe(false);
  EXPECT_TRUE(coupling.coupled());
  take_coupled_steps(coupling, 8);
  ASSERT_TRUE(coupling.begins_probe());
  EXPECT_FALSE(coupling.accepted(true));  // it went, but Newton would limit the next one
  EXPECT_TRUE(coupling.coupled());
  take_coupled_steps(coupling, 16);
  EXPECT_TRUE(coupling.begins_probe());
}

TEST(Coupling, EachTryThatGoesWellMakesItMorePatient) {
  Coupling coupling(true);
  for (const int wanted : {2, 4, 8, 16, 16}) {
    for (int k = 1; k < wanted; ++k) EXPECT_FALSE(coupling.limited()) << wanted;
    EXPECT_TRUE(coupling.limited()) << wanted;
    take_coupled_steps(coupling, 8);
    ASSERT_TRUE(coupling.begins_probe());
    EXPECT_FALSE(coupling.accepted(false));
    EXPECT_FALSE(coupling.coupled());
    EXPECT_FALSE(coupling.probing());
  }
}

}  // namespace
}  // namespace driftless::coupling_test
