// Where branches of an algebraic equation meet, the index is lost: every method has to see it.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "driftless/driftless.h"

namespace driftless::meeting_branches_test {
namespace {

// 0 = sin z - sin y: the branches z = y and z = pi - y meet at pi/2. No state depends on z.
struct MeetingBranches {
  void F(auto, auto, auto, auto out) const { out[0] = 1.0; }
  void G(auto y, auto z, auto, auto out) const {
    using std::sin;
    out[0] = sin(z[0]) - sin(y[0]);
  }
};

TEST(MeetingBranches, EndARunOfIndexOne) {
  using enum AdaptiveMethod;
  const Equations equations = partitioned(MeetingBranches{}, {.y = 1, .z = 1});
  for (const auto method : {automatic, radau, dop853, dopri5})
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10})
      for (const double from : {0.0, 0.5, 1.0, 1.3, 1.5}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(method) << " at " << tolerance << " from " << from);
        const Solution solution =
            solve(equations, {from, from},
                  {.span = {from, 3.0}, .adaptive = method, .tolerance = {tolerance, 1e-3 * tolerance}});
        ASSERT_FALSE(solution.ok());
        EXPECT_EQ(solution.failure().kind, FailureKind::index_lost) << solution.failure().message();
        EXPECT_NEAR(solution.failure().time, std::numbers::pi / 2, 1e-3);
        EXPECT_NEAR(solution.final("z[0]"), solution.final("y[0]"), 1e-6);
      }
}

}  // namespace
}  // namespace driftless::meeting_branches_test
