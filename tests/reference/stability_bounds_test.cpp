// Deviations measured against their bounds, (3.19) to (3.25) of Higueras and Soderlind 2003: six problems, three kinds
// of perturbation, three bounds. No quotient may exceed 1; docs/stability.md shows how close they come.
#include <gtest/gtest.h>

#include "testset/stability/study.h"

namespace driftless::stability_bounds_test {
namespace {

TEST(StabilityBounds, HoldForSixProblemsAndThreeKindsOfPerturbation) {
  const auto all = stability::study_deviations();
  EXPECT_EQ(all.size(), 36u);
  std::size_t close = 0;
  for (const auto& study : all) {
    SCOPED_TRACE(study.problem + ", " + study.perturbation + ", " + study.norm);
    EXPECT_EQ(study.points.size(), 41u);
    double last = 1.0;
    for (const auto bound : {&stability::DeviationPoint::product, &stability::DeviationPoint::sharp,
                             &stability::DeviationPoint::in_tube}) {
      const auto largest = study.largest(bound);
      EXPECT_LE(largest.p, 1.0);
      EXPECT_LE(largest.q, 1.0);
      EXPECT_LE(largest.total, 1.0);
      EXPECT_GT(largest.total, 0.01);  // bounds that say something
      last = largest.p;
    }
    close += last > 0.9;
    EXPECT_EQ(study.valid_until, study.points.back().time);
  }
  EXPECT_GE(close, 20u);
}

// Theorem 3.5 is never worse than Theorem 3.4.
TEST(StabilityBounds, EliminationIsSharper) {
  for (const auto& study : stability::study_deviations({"2"}))
    for (const auto& point : study.points) EXPECT_LE(point.sharp.p, point.product.p * (1.0 + 1e-9)) << study.problem;
}

}  // namespace
}  // namespace driftless::stability_bounds_test
