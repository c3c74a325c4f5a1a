#include "driftless/autodiff/tracer.h"

#include <gtest/gtest.h>

namespace driftless::tracer_test {
namespace {

std::vector<Tracer> arguments(std::size_t count) {
  std::vector<Tracer> x(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    x[i].value = 0.3 + i;
    x[i].d.from = {i};
  }
  return x;
}
using List = TraceList;

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

// Derivatives by arguments that are not curved are the same everywhere.
TEST(TracerTest, RemembersWhatDoesNotEnterLinearly) {
  const auto x = arguments(5);
  EXPECT_EQ((2.0 * x[0] - x[1] / 3.0 + 1.0).d.curved, List{});
  EXPECT_EQ((x[0] * x[1] + x[2]).d.curved, (List{0, 1}));
  EXPECT_EQ((x[3] - sin(x[1]) / x[4]).d.curved, (List{1, 4}));
  EXPECT_EQ((square(x[2]) + x[2]).d.curved, (List{2}));
  EXPECT_EQ((x[0] + pow(x[3], 2)).d.curved, (List{3}));
  EXPECT_EQ((x[4] + max(x[0], 2.0 * x[1])).d.curved, (List{0, 1}));
  EXPECT_EQ((x[4] + std::abs(x[2])).d.curved, (List{2}));
  EXPECT_EQ(atan2(x[2], x[0]).d.curved, (List{0, 2}));
}

// A formula that takes the plain number out may decide by it.
TEST(TracerTest, AsksWhyThePlainNumberIsWanted) {
  const auto x = arguments(1);
  tracer_branched = false;
  EXPECT_EQ(value_of(Tracer(2.0)), 2.0);
  EXPECT_FALSE(tracer_branched);
  EXPECT_EQ(value_of(x[0]), 0.3);
  EXPECT_TRUE(tracer_branched);
}

// A sum of everything that is part of everything would take a list of all for each.
TEST(TracerTest, ListsKeepToTheirBudget) {
  const auto x = arguments(1000);
  const auto sum_of_all = [&] {
    Tracer sum;
    for (const Tracer& one : x) sum += one;
    return sum;
  };
  {
    const TraceBudget budget(100'000);
    for (int k = 0; k < 100; ++k) EXPECT_EQ(sum_of_all().d.from.size(), 1000u);  // what is gone counts no longer
    std::vector<Tracer> all;
    EXPECT_THROW(for (int k = 0; k < 100; ++k) all.push_back(sum_of_all() * x[0]), TraceBudget::Exceeded);
    EXPECT_GT(all.size(), 5u);
  }
  const std::vector<Tracer> all(100, sum_of_all());
  EXPECT_EQ(all.back().d.from.size(), 1000u);
}

// Either branch counts, and a comparison is remembered: the pattern may be another one elsewhere.
TEST(TracerTest, IsCarefulWithBranches) {
  const auto x = arguments(3);
  tracer_branched = false;
  EXPECT_EQ(max(x[0], x[1]).d.from, (List{0, 1}));
  EXPECT_EQ(min(x[0], 0.0).d.from, (List{0}));
  EXPECT_EQ(abs(x[2]).d.from, (List{2}));
  EXPECT_EQ(std::fabs(x[2]).d.from, (List{2}));
  EXPECT_EQ(std::atan2(x[2], 1.0).d.from, (List{2}));
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
}  // namespace driftless::tracer_test
