// What counts as reproduced: a band with two finite ends, at least one number, and a claim of the paper that holds.
#include "apps/driftless/reproduce/measurement.h"

#include <gtest/gtest.h>

#include <limits>

namespace reproduce {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

Line line(double measured, double low, double high) {
  return {.id = "id", .what = "what", .paper = "paper", .measured = measured, .low = low, .high = high};
}

TEST(Measurement, NumbersAreReproducedInTheirBandOnly) {
  EXPECT_EQ(line(1.0, 0.5, 1.5).finding(), Finding::reproduced);
  EXPECT_EQ(line(0.5, 0.5, 0.5).finding(), Finding::reproduced);
  EXPECT_EQ(line(0.4, 0.5, 1.5).finding(), Finding::off);
  EXPECT_EQ(line(1.6, 0.5, 1.5).finding(), Finding::off);
  EXPECT_EQ(line(nan, 0.5, 1.5).finding(), Finding::off);
}

TEST(Measurement, ABandWithoutEndReproducesNothing) {
  EXPECT_EQ(line(1.0, 0.0, infinity).finding(), Finding::off);
  EXPECT_EQ(line(1.0, -infinity, 2.0).finding(), Finding::off);
  EXPECT_EQ(line(infinity, 0.0, infinity).finding(), Finding::off);
  EXPECT_EQ(line(1.0, 0.0, nan).finding(), Finding::off);
  const Measurement all{.lines = {line(1.0, 0.0, 2.0), line(1.0, 0.0, infinity)}};
  EXPECT_EQ(all.finding(), Finding::off);
}

TEST(Measurement, NothingMeasuredIsNothingReproduced) { EXPECT_EQ(Measurement{}.finding(), Finding::off); }

// The measured value has to contradict the claim: if it agrees after all, the record is wrong.
TEST(Measurement, AClaimThatTheMeasurementContradictsIsRefuted) {
  Line radau_ia = line(2.0, 1.7, 2.3);
  radau_ia.claim = {2.7, infinity};
  EXPECT_EQ(radau_ia.finding(), Finding::refuted);
  EXPECT_TRUE(radau_ia.ok());
  const Measurement remark{.lines = {line(5.0, 4.7, 5.3), radau_ia}};
  EXPECT_EQ(remark.finding(), Finding::refuted);
  radau_ia.measured = 3.0;
  EXPECT_EQ(radau_ia.finding(), Finding::off);
  radau_ia.high = 3.3;
  EXPECT_EQ(radau_ia.finding(), Finding::off);
  const Measurement held{.lines = {line(5.0, 4.7, 5.3), radau_ia}};
  EXPECT_EQ(held.finding(), Finding::off);
}

// A bound that is infinite, or a million times too large, is not reproduced, nor is one that is exceeded.
TEST(Measurement, BoundsAreNeitherExceededNorFarAway) {
  const double measured = 0.3;
  const auto against = [&](double bound) {
    return below_bound("id", "what", measured / bound, 3.0, "paper").finding();
  };
  EXPECT_EQ(against(0.3), Finding::reproduced);
  EXPECT_EQ(against(0.8), Finding::reproduced);
  EXPECT_EQ(against(0.299), Finding::off);
  EXPECT_EQ(against(1.0), Finding::off);
  EXPECT_EQ(against(3e5), Finding::off);
  EXPECT_EQ(against(infinity), Finding::off);
}

TEST(Measurement, OrdersAreThoseOnRecordAndNoLessThanPromised) {
  EXPECT_EQ(order_line("id", "what", 2, 3.0, 3.1).finding(), Finding::reproduced);
  EXPECT_EQ(order_line("id", "what", 2, 3.0, 2.1).finding(), Finding::off);
  EXPECT_EQ(order_line("id", "what", 2, 3.0, 4.0).finding(), Finding::off);
  EXPECT_THROW(order_line("id", "what", 3, 2.0, 2.0), std::logic_error);
}

}  // namespace
}  // namespace reproduce
