// Attracting sets of methods approach those of the DAE; without the constraint they do not. Larger samples than the
// unit tests take.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/driftless.h"
#include "driftless/geometry.h"
#include "testset/problem.h"
#include "testset/warped_cycle.h"

namespace driftless::geo_attractor_test {
namespace {

void print(const char* name, const AttractorStudy& study) {
  fmt::print("{}: gap of the reference {:.2e}, rate {:.2f} from {} step sizes\n", name, study.reference_gap,
             study.rate.order, study.rate.used);
  for (const auto& row : study.rows)
    fmt::print("  h = {:<6} outward {:.3e} inward {:.3e} gap {:.2e} drift {:.2e}{}\n", row.step_size, row.outward,
               row.inward, row.gap, row.drift, row.settled() ? "" : " not settled");
}

struct Rate {
  const char* tableau;
  Vector step_sizes;
  double order;
};

const CloudOptions around_the_cycle{.center = {0.8, 0.0, 0.3}, .half_widths = {0.3}, .count = 100};

// The whole curve, not only a section: it converges with the order of u.
TEST(GeoAttractor, LimitCycleOnTheSphere) {
  const Index2 equations = warped_cycle();
  for (const Rate& row : {Rate{"implicit-euler", {0.05, 0.035, 0.025, 0.0175}, 1.0},
                          Rate{"sdirk-2-half", {0.1, 0.08, 0.065, 0.05}, 2.0}}) {
    SCOPED_TRACE(row.tableau);
    const auto study = study_attractor(equations, {.method = {.tableau = tableau_by_name(row.tableau)},
                                                   .step_sizes = row.step_sizes,
                                                   .cloud = around_the_cycle,
                                                   .sampling = {.transient = 12.0, .samples = 300, .interval = 0.01}});
    ASSERT_TRUE(study.ok()) << study.failure().message();
    print(row.tableau, *study);
    EXPECT_GE(study->rate.used, 3u);
    EXPECT_NEAR(study->rate.order, row.order, 0.2);
    for (std::size_t i = 1; i < study->rows.size(); ++i)
      EXPECT_LT(study->rows[i].distance, study->rows[i - 1].distance);
  }
}

AttractorStudy without_the_constraint(const Index2& equations, const CloudOptions& cloud, const Vector& step_sizes,
                                      const SamplingOptions& sampling) {
  const auto study =
      study_attractor(equations, {.method = {.tableau = hem3(), .multiplier = MultiplierRule::hidden_constraint},
                                  .step_sizes = step_sizes,
                                  .cloud = cloud,
                                  .sampling = sampling,
                                  .share = sampling.section ? 0.98 : 1.0,
                                  .discretised = underlying_ode(equations)})
          .value();
  print(fmt::format("hem3 on the underlying ODE, transient {}", sampling.transient).c_str(), study);
  return study;
}

// The same tableau on the underlying ODE: whatever the step size, the run leaves the sphere, and the longer the
// farther.
TEST(GeoAttractor, LimitCycleIsLostWithoutTheConstraint) {
  const Index2 equations = warped_cycle();
  const CloudOptions cloud{.center = {0.8, 0.0, 0.3}, .half_widths = {0.3}, .count = 2};
  SamplingOptions sampling{.transient = 5.0, .samples = 500, .interval = 0.01};
  const AttractorStudy early = without_the_constraint(equations, cloud, {0.05}, sampling);
  sampling.transient = 60.0;
  const AttractorStudy later = without_the_constraint(equations, cloud, {0.05}, sampling);
  EXPECT_GT(later.rows[0].distance, 1.5 * early.rows[0].distance);
  sampling.transient = 1000.0;
  const AttractorStudy late = without_the_constraint(equations, cloud, {0.1, 0.08, 0.065, 0.05}, sampling);
  for (const auto& row : late.rows) EXPECT_GT(row.distance, 0.98) << row.step_size;
}

// Chaos on the paraboloid, on the section u3 = 27: 98 % of the points.
TEST(GeoAttractor, LorenzOnItsParaboloid) {
  const Index2 equations = index2_of(testset::problem("lorenz_lifted").equations);
  const CloudOptions cloud{.center = {5.0, 5.0, 20.0, 4.5}, .half_widths = {2.0}, .count = 20};
  const SamplingOptions sampling{.transient = 10.0,
                                 .samples = 400,
                                 .section = section_at(equations, "u3", 27.0, Direction::falling),
                                 .tolerance = {.relative = 1e-7, .absolute = 1e-8}};
  const auto study = study_attractor(equations, {.method = {.tableau = sdirk2_half()},
                                                 .step_sizes = {0.113, 0.095, 0.08, 0.067},
                                                 .cloud = cloud,
                                                 .sampling = sampling,
                                                 .share = 0.98});
  ASSERT_TRUE(study.ok()) << study.failure().message();
  print("sdirk-2-half", *study);
  EXPECT_GE(study->rate.used, 3u);
  EXPECT_NEAR(study->rate.order, 2.0, 0.3);
  for (const auto& row : study->rows) EXPECT_TRUE(row.settled());
}

TEST(GeoAttractor, LorenzIsLostWithoutTheConstraint) {
  const Index2 equations = index2_of(testset::problem("lorenz_lifted").equations);
  const CloudOptions cloud{.center = {5.0, 5.0, 20.0, 4.5}, .half_widths = {2.0}, .count = 2};
  SamplingOptions sampling{.transient = 50.0,
                           .samples = 100,
                           .section = section_at(equations, "u3", 27.0, Direction::falling),
                           .tolerance = {.relative = 1e-7, .absolute = 1e-8}};
  const AttractorStudy early = without_the_constraint(equations, cloud, {0.04, 0.0283, 0.02}, sampling);
  sampling.transient = 1000.0;
  const AttractorStudy late = without_the_constraint(equations, cloud, {0.04, 0.0283, 0.02}, sampling);
  for (std::size_t i = 0; i < late.rows.size(); ++i) {
    EXPECT_GT(late.rows[i].distance, 10.0);  // with the constraint and h = 0.067: 0.04
    EXPECT_GT(late.rows[i].distance, 4.0 * early.rows[i].distance);
  }
}

// Literature: 0.906, 0, -14.57; their sum is -(10 + 1 + 8/3).
TEST(GeoAttractor, LyapunovExponentsOfTheDae) {
  const Index2 equations = index2_of(testset::problem("lorenz_lifted").equations);
  const auto starts =
      make_cloud(equations, {.center = {5.0, 5.0, 20.0, 4.5}, .half_widths = {2.0}, .count = 4}).value();
  const auto result = lyapunov_exponents(equations, starts, {.transient = 10.0, .time = 150.0});
  ASSERT_TRUE(result.ok()) << result.failure().message();
  const Vector& l = result->exponents;
  fmt::print("{:.4f} {:.4f} {:.4f}, standard errors {:.4f} {:.4f} {:.4f}, dimension {:.4f}\n", l[0], l[1], l[2],
             result->standard_errors[0], result->standard_errors[1], result->standard_errors[2],
             result->kaplan_yorke_dimension);
  EXPECT_NEAR(l[0], 0.906, 0.08);
  EXPECT_NEAR(l[1], 0.0, 0.02);
  EXPECT_NEAR(l[0] + l[1] + l[2], -(10.0 + 1.0 + 8.0 / 3.0), 1e-3);
  EXPECT_NEAR(result->kaplan_yorke_dimension, 2.062, 0.006);
}

}  // namespace
}  // namespace driftless::geo_attractor_test
