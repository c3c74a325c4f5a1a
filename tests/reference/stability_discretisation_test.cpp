// Global errors of implicit Euler and Radau IIA against the bounds of sections 4 and 5 of Higueras and Soderlind 2003,
// for Newton iterations that are stopped early and late. No quotient may exceed 1.
#include <gtest/gtest.h>

#include "testset/stability/study.h"

namespace driftless::stability_discretisation_test {
namespace {

TEST(StabilityDiscretisation, ErrorsStayBelowTheirBoundsForEveryNewtonTolerance) {
  const auto all = stability::study_errors();
  EXPECT_EQ(all.size(), 72u);
  const stability::ErrorStudy* last = nullptr;
  double first_share = 0.0;
  for (const auto& study : all) {
    SCOPED_TRACE(fmt::format("{}, {}, Newton to {}", study.problem, study.method, study.newton));
    EXPECT_EQ(study.points.size(), 40u);
    EXPECT_LE(study.p_quotient, 1.0);
    EXPECT_LE(study.q_quotient, 1.0);
    if (study.method == "implicit-euler") {
      EXPECT_GT(study.p_quotient, 0.8);
    }
    const double share = study.q_share_of_p + study.q_share_of_q;
    if (study.newton == 1e-13)
      first_share = share;
    else
      EXPECT_GE(study.q_residual, last->q_residual);  // loosening never improves the constraint
    if (study.newton == 1e-2 && study.q_residual > 1e-8) {
      EXPECT_GT(share, first_share);
    }
    last = &study;
  }
}

}  // namespace
}  // namespace driftless::stability_discretisation_test
