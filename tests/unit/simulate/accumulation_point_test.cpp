// Bounces that become ever shorter: the run ends where they accumulate, unless something catches what bounces.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless::accumulation_point_test {
namespace {

Simulation ball(const std::string& restitution, const std::string& more, double tolerance) {
  const std::string text =
      "model Ball\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\nequation\n  der(h) = v;\n"
      "  der(v) = -9.81;\n  when h <= 0 then\n    reinit(v, -" +
      restitution + "*pre(v));\n  end when;\n" + more + "  annotation(experiment(StopTime = 6));\nend Ball;\n";
  const TextModel model({"ball.mo", text});
  SimulateOptions options;
  options.solve.span = {0.0, 6.0};
  options.solve.tolerance = {.relative = tolerance, .absolute = 1e-3 * tolerance};
  return simulate(model, options);
}

// With restitution e the bounces end at sqrt(2/g) (1 + e)/(1 - e).
double end_of_bounces(double e) { return std::sqrt(2.0 / 9.81) * (1.0 + e) / (1.0 - e); }

TEST(AccumulationPoint, EndsARunThatWouldGoThrough) {
  for (const double tolerance : {1e-4, 1e-6, 1e-9, 1e-11}) {
    for (const auto& [text, e] : {std::pair("0.5", 0.5), {"0.7", 0.7}, {"0.8", 0.8}}) {
      const Simulation run = ball(text, "", tolerance);
      ASSERT_FALSE(run.ok()) << e << ", " << tolerance;
      EXPECT_EQ(run.failure->kind, FailureKind::too_many_steps);
      EXPECT_NEAR(run.failure->time, end_of_bounces(e), 0.02 * end_of_bounces(e)) << e << ", " << tolerance;
      EXPECT_EQ(run.t, run.failure->time);
      EXPECT_EQ(run.recording.last_time(), run.failure->time);
      EXPECT_NEAR(run.final("h"), 0.0, 1e-3);
      EXPECT_NE(run.failure->where.find("h <= 0"), std::string::npos) << run.failure->where;
    }
  }
}

TEST(AccumulationPoint, LetsARunGoOnThatIsCaught) {
  const Simulation run =
      ball("0.7", "  when h <= -1e-3 then\n    reinit(v, 0.5);\n    reinit(h, 0.1);\n  end when;\n", 1e-6);
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_EQ(run.t, 6.0);
  EXPECT_GT(run.final("h"), -1e-2);
}

TEST(AccumulationPoint, IsNotToBeSeenBeforeItIsReached) {
  const std::string text =
      "model Ball\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\nequation\n  der(h) = v;\n"
      "  der(v) = -9.81;\n  when h <= 0 then\n    reinit(v, -0.8*pre(v));\n  end when;\nend Ball;\n";
  const TextModel model({"ball.mo", text});
  SimulateOptions options;
  options.solve.span = {0.0, 0.98 * end_of_bounces(0.8)};
  EXPECT_TRUE(simulate(model, options).ok());
}

}  // namespace
}  // namespace driftless::accumulation_point_test
