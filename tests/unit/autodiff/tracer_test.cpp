#include "driftless/autodiff/tracer.h"

#include <gtest/gtest.h>

namespace driftless {
namespace {

std::vector<Tracer> arguments(std::size_t count) {
  std::vector<Tracer> x(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    x[i].value = 0.3 + i;
    x[i].d.from = {i};
  }
  return x;
}
using List = std::vector<std::uint32_t>;

TEST(TracerTest, RemembersWhatANumberIsMadeFrom) {
  const auto x = arguments(5);
  tracer_branched = false;
  EXPECT_EQ((x[3] * 2.0 + sin(x[1]) / x[3]).d.from, (List{1, 3}));
  EXPECT_EQ((pow(x[0], 2) - 1.0).d.from, (List{0}));
  EXPECT_EQ(pow(x[0], x[4]).d.from, (List{0, 4}));
  EXPECT_EQ(atan2(x[2], x[0]).d.from, (List{0, 2}));
  EXPECT_EQ(hypot(x[2], 1.0).d.from, (List{2}));
  EXPECT_TRUE(is_constant(Tracer(3.0) * 2.0));
  EXPECT_FALSE(tracer_branched);
}

// Either branch counts, and a comparison is remembered: the pattern may be another one elsewhere.
TEST(TracerTest, IsCarefulWithBranches) {
  const auto x = arguments(3);
  tracer_branched = false;
  EXPECT_EQ(max(x[0], x[1]).d.from, (List{0, 1}));
  EXPECT_EQ(min(x[0], 0.0).d.from, (List{0}));
  EXPECT_EQ(abs(x[2]).d.from, (List{2}));
  EXPECT_FALSE(tracer_branched);
  EXPECT_FALSE(Tracer(1.0) > 2.0);
  EXPECT_FALSE(tracer_branched);
  EXPECT_TRUE(x[0] < x[1]);
  EXPECT_TRUE(tracer_branched);
  tracer_branched = false;
  EXPECT_TRUE(x[1] > 0.0);
  EXPECT_TRUE(tracer_branched);
}

}  // namespace
}  // namespace driftless
