// A run whose unknowns all stay below their absolute tolerance has no error control, and says so.
#include "driftless/integrate/tolerance_watch.h"

#include <gtest/gtest.h>

#include "driftless/driftless.h"

namespace driftless::tolerance_watch_test {
namespace {

struct Decay {
  void f(auto x, auto, auto out) const {
    out[0] = -x[0];
    out[1] = -2.0 * x[1];
  }
};

Solution decay(double size, Tolerance tolerance, AdaptiveMethod method = AdaptiveMethod::automatic) {
  return solve(index1(Decay{}, {.projector = Matrix::identity(2), .x_names = {"a", "b"}}), {size, -2.0 * size},
               {.span = {0.0, 1.0}, .adaptive = method, .tolerance = std::move(tolerance)});
}

TEST(ToleranceWatch, SaysThatNothingIsResolved) {
  for (const AdaptiveMethod method : {AdaptiveMethod::automatic, AdaptiveMethod::radau, AdaptiveMethod::dopri5}) {
    const Solution solution = decay(1e-20, {1e-6, 1e-9}, method);
    ASSERT_TRUE(solution.ok());
    ASSERT_EQ(solution.warnings().size(), 1u);
    EXPECT_EQ(solution.warnings()[0].kind, RunWarning::Kind::below_absolute_tolerance);
    EXPECT_NE(solution.warnings()[0].text.find("b, the largest by that measure, reaches 2e-20"), std::string::npos)
        << solution.warnings()[0].text;
  }
}

TEST(ToleranceWatch, IsSilentOtherwise) {
  EXPECT_TRUE(decay(1.0, {1e-6, 1e-9}).warnings().empty());
  EXPECT_TRUE(decay(1e-8, {1e-6, 1e-9}).warnings().empty());
  EXPECT_TRUE(decay(0.0, {1e-6, 1e-9}).warnings().empty());  // 0 is 0
  EXPECT_TRUE(decay(1e-20, {1e-6, 1e-9, {1e-29, 1e-29}}).warnings().empty());
  EXPECT_TRUE(decay(1e-20, {1e-6, 1e-9, {1e-9, 1e-29}}).warnings().empty());  // one of them is resolved
}

}  // namespace
}  // namespace driftless::tolerance_watch_test
