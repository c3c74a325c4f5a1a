// Verdicts on (B1)-(B3) and (B1')-(B3'), and their words.
#include "driftless/tableau/conditions.h"

#include <gtest/gtest.h>

#include <string>

#include "driftless/tableau/families.h"

namespace driftless::conditions_test {
namespace {

TEST(Conditions, Index2) {
  for (const char* good : {"radau-ia-2", "radau-iia-1", "radau-iia-5", "lobatto-iiic-2", "implicit-euler", "sdirk-2",
                           "sdirk-2-half", "sdirk-3-crouzeix", "sdirk-4"}) {
    EXPECT_TRUE(conditions_projected_index2(tableau_by_name(good)).overall.holds) << good;
  }
  for (const char* bad : {"gauss-1", "gauss-4", "radau-ia-1", "hem3", "dopri5"}) {
    EXPECT_FALSE(conditions_projected_index2(tableau_by_name(bad)).overall.holds) << bad;
  }
}

TEST(Conditions, Index3) {
  for (const char* good : {"radau-ia-3", "radau-iia-2", "radau-iia-3", "radau-iia-10", "lobatto-iiic-3"}) {
    EXPECT_TRUE(conditions_projected_index3(tableau_by_name(good)).overall.holds) << good;
  }
  for (const char* bad :
       {"gauss-3", "radau-ia-2", "radau-iia-1", "implicit-euler", "lobatto-iiic-2", "sdirk-4", "hem5"}) {
    EXPECT_FALSE(conditions_projected_index3(tableau_by_name(bad)).overall.holds) << bad;
  }
}

TEST(Conditions, HalfExplicit) {
  for (const char* good : {"hem3", "hem4", "hem5"}) {
    EXPECT_TRUE(conditions_half_explicit(tableau_by_name(good)).overall.holds) << good;
  }
  for (const char* bad : {"gauss-2", "implicit-euler", "dopri5"}) {
    const ConditionVerdicts verdicts = conditions_half_explicit(tableau_by_name(bad));
    EXPECT_FALSE(verdicts.b1.holds) << bad;
    EXPECT_FALSE(verdicts.overall.holds) << bad;
    EXPECT_EQ(verdicts.b2.reason, "not examined, because (B1') fails");
  }
}

TEST(Conditions, GaussFailsForItsDampingOnly) {
  const ConditionVerdicts verdicts = conditions_projected_index2(gauss(2));
  EXPECT_TRUE(verdicts.b1.holds);
  EXPECT_FALSE(verdicts.b2.holds);
  EXPECT_TRUE(verdicts.b3.holds);
  EXPECT_EQ(verdicts.overall.reason,
            "Gauss (2 stages): (B2) fails: |R(infinity)| = 1, so an error in the multiplier is never damped");
}

TEST(Conditions, ReasonsInWords) {
  EXPECT_EQ(conditions_projected_index3(radau_iia(3)).overall.reason,
            "Radau IIA (3 stages): (B1), (B2) and (B3) hold: A is invertible; R(infinity) = 0: an error in the "
            "multiplier is gone "
            "after one step; order 5, stage order 3");
  EXPECT_EQ(conditions_projected_index3(implicit_euler()).overall.reason,
            "implicit Euler: (B3) fails: order 1, stage order 1: index 3 needs stage order 2 or more, because the "
            "multiplier is "
            "found to order q - 1 only");
  EXPECT_EQ(conditions_projected_index2(radau_ia(1)).b3.reason,
            "order 1, stage order 0: the stage order must be at least 1, that is, c = row sums of A");
  EXPECT_EQ(conditions_projected_index2(hem3()).b1.reason,
            "the method is explicit, so A is singular and the stages do not determine the multiplier");
  EXPECT_EQ(conditions_projected_index2(sdirk2_half()).b2.reason,
            "|R(infinity)| = 0.5 < 1: an error in the multiplier shrinks by this factor in every step");
  EXPECT_EQ(
      conditions_half_explicit(hem5()).overall.reason,
      "HEM5: (B1'), (B2') and (B3') hold: a_{i+1,i} != 0 and b_s != 0, so every constraint determines one multiplier; "
      "order 5 in the state and c = A 1; Lambda_s is of order 3");
  EXPECT_EQ(
      conditions_half_explicit(dopri5()).overall.reason,
      "Dormand & Prince 5(4): (B1') fails: b_7 = 0, so the constraint at the new point does not determine Lambda_7");
}

TEST(Conditions, AmplifiedMultiplierIsCalledThat) {
  Matrix a(1, 1);
  a(0, 0) = 0.25;
  const ConditionVerdicts verdicts = conditions_projected_index2(from_numbers("theta = 1/4", a, {1.0}));
  EXPECT_EQ(verdicts.overall.reason,
            "theta = 1/4: (B2) fails: |R(infinity)| = 3 > 1, so an error in the multiplier grows in every step");
}

TEST(Conditions, HalfExplicitNeedsItsSubdiagonalAndItsLastNode) {
  Tableau gap = hem3();
  gap.a(2, 0) = 1.0;
  gap.a(2, 1) = 0.0;
  EXPECT_EQ(conditions_half_explicit(gap).b1.reason,
            "a_3,2 = 0, so the constraint at stage 3 does not determine Lambda_2");
  // Explicit midpoint rule: c_s = 1/2.
  Matrix a(2, 2);
  a(1, 0) = 0.5;
  const ConditionVerdicts midpoint = conditions_half_explicit(from_numbers("midpoint", a, {0.0, 1.0}));
  EXPECT_TRUE(midpoint.b1.holds);
  EXPECT_TRUE(midpoint.b2.holds);
  EXPECT_FALSE(midpoint.b3.holds);
  EXPECT_EQ(midpoint.b3.reason, "c_s = 0.5, not 1, so Lambda_s belongs to a time inside the step");
  Tableau shifted = hem3();
  shifted.c[1] = 0.5;
  EXPECT_EQ(conditions_half_explicit(shifted).b2.reason, "c is not the vector of the row sums of A");
}

}  // namespace
}  // namespace driftless::conditions_test
