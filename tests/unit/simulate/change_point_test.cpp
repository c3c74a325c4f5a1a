// Change points, where a mechanism could go on in two ways: the run goes on in the way that inertia chooses, or ends
// there by name. It never changes over to the other way.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless::change_point_test {
namespace {

// Both cranks turn alike: y1 = y2. At y1 = 0 they could go on against each other.
const char* const parallelogram = R"(model M
  parameter Real g = 0;
  Real x1(start = 0.8660254037844386, fixed = true), y1(start = 0.5), u1(start = -0.5), v1(start = 0.8660254037844386,
    fixed = true);
  Real x2(start = 2.8660254037844386), y2(start = 0.5), u2(start = -0.5), v2(start = 0.8660254037844386);
  Real l1, l2, l3, other;
equation
  der(x1) = u1; der(y1) = v1; der(x2) = u2; der(y2) = v2;
  der(u1) = -l1*x1 + l3*(x2 - x1);
  der(v1) = -l1*y1 + l3*(y2 - y1) - g;
  der(u2) = -l2*(x2 - 2) - l3*(x2 - x1);
  der(v2) = -l2*y2 - l3*(y2 - y1) - g;
  x1^2 + y1^2 = 1;
  (x2 - 2)^2 + y2^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 4;
  other = y2 - y1;
end M;)";

// Crank and rod of equal length, the crank a flywheel: x2 = 2 x1. At x1 = 0 the slider could stay at 0.
const char* const slider_crank = R"(model M
  parameter Real g = 0;
  Real x1(start = 0.5, fixed = true), y1(start = 0.8660254037844386), u1(start = -0.8660254037844386, fixed = true),
    v1(start = 0.5);
  Real x2(start = 1), u2(start = -1.7320508075688772), l1, l2, other;
equation
  der(x1) = u1; der(y1) = v1; der(x2) = u2;
  2*der(u1) = -l1*x1 + l2*(x2 - x1);
  2*der(v1) = -l1*y1 - l2*y1 - g;
  0.1*der(u2) = -l2*(x2 - x1);
  x1^2 + y1^2 = 1;
  (x2 - x1)^2 + y1^2 = 1;
  other = x2 - 2*x1;
end M;)";

struct Case {
  const char *name, *text;
  AdaptiveMethod method;
};

class ChangePoint : public testing::TestWithParam<Case> {};

TEST_P(ChangePoint, IsPassedInTheSameWayOrNamed) {
  std::size_t ended = 0;
  for (const double g : {0.0, 0.1, 0.3})
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-6, 1e-9}) {
      TextModel model({"test.mo", GetParam().text});
      model.set("g", g);
      SimulateOptions options{.solve = {.span = {0.0, 25.0}, .tolerance = {tolerance, tolerance}}};
      options.solve.adaptive = GetParam().method;
      const Simulation run = simulate(model, options);
      EXPECT_LT(std::abs(run.final("other")), 0.1) << "g = " << g << ", tolerance " << tolerance;
      if (run.ok()) continue;
      ++ended;
      EXPECT_EQ(run.failure->kind, FailureKind::index_lost) << run.failure->message();
      EXPECT_NE(run.failure->message().find("becomes singular near"), std::string::npos) << run.failure->message();
    }
  EXPECT_GT(ended, 0U);  // or this tests nothing
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, ChangePoint,
                         testing::Values(Case{"parallelogram_automatic", parallelogram, AdaptiveMethod::automatic},
                                         Case{"parallelogram_radau", parallelogram, AdaptiveMethod::radau},
                                         Case{"parallelogram_dop853", parallelogram, AdaptiveMethod::dop853},
                                         Case{"slider_crank_automatic", slider_crank, AdaptiveMethod::automatic},
                                         Case{"slider_crank_radau", slider_crank, AdaptiveMethod::radau},
                                         Case{"slider_crank_dop853", slider_crank, AdaptiveMethod::dop853}),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace driftless::change_point_test
