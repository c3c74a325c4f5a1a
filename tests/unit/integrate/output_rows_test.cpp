// Rows between steps are results as well, or there are none.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"

namespace driftless::output_rows_test {
namespace {

// 0 = z - t has no value at t = 1/2, where 0 log 0 stands in it; steps pass it, a row there would be made up.
struct HoleInTime {
  void F(auto, auto z, auto, auto out) const { out[0] = z[0]; }
  void G(auto, auto z, auto t, auto out) const {
    using std::abs, std::log;
    out[0] = z[0] - t + 0.0 * log(abs(t - 0.5));
  }
};

TEST(OutputRows, ARowWhereTheModelHasNoValueIsNoResult) {
  const Equations equations = partitioned(HoleInTime{}, {.y = 1, .z = 1});
  using enum AdaptiveMethod;
  for (const auto method : {automatic, radau, dop853}) {
    const auto run = [&](double time) {
      return solve(equations, {0.0, 0.0}, {.span = {0.0, 1.0}, .adaptive = method, .output_times = {0.4, time, 1.0}});
    };
    const Solution beside = run(0.51);
    ASSERT_TRUE(beside.ok()) << beside.failure().message();
    EXPECT_NEAR(beside.state(2)[1], 0.51, 1e-12);
    const Solution there = run(0.5);
    ASSERT_FALSE(there.ok());
    EXPECT_EQ(there.failure().kind, FailureKind::not_finite) << there.failure().message();
    EXPECT_EQ(there.failure().time, 0.5);
    EXPECT_EQ(there.size(), 2u);  // the start, and what was right before
  }
}

}  // namespace
}  // namespace driftless::output_rows_test
