// Error bounds that runs carry, from their residuals alone: measured error / bound, never above 1.
#include <gtest/gtest.h>

#include "testset/stability/study.h"

namespace driftless::stability_run_test {
namespace {

TEST(StabilityRun, CarriesABoundThatIsNeverExceeded) {
  const auto all = stability::study_runs();
  EXPECT_EQ(all.size(), 30u);
  for (const auto& study : all) {
    SCOPED_TRACE(fmt::format("{}, {}", study.problem, study.run));
    EXPECT_TRUE(study.valid);
    EXPECT_TRUE(study.certain);
    EXPECT_LE(study.p_quotient, 1.0);
    EXPECT_LE(study.q_quotient, 1.0);
    if (study.run == "Euler, 40 steps") {
      EXPECT_GT(study.p_quotient, 0.9);
    }
    if (study.run == "the same, Newton to 1e-3" && study.problem != "lognorm_linear") {
      EXPECT_GT(study.constraint_share, 0.2);
    } else {
      EXPECT_LT(study.constraint_share, 0.05);
    }
  }
}

}  // namespace
}  // namespace driftless::stability_run_test
