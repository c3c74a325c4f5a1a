#include "driftless/study/variation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/core/failure.h"

namespace driftless::variation_test {
namespace {

Vector list_in(const std::string& text) {
  const auto found = variation_from(text);
  return found ? std::get<Vector>(found->values) : Vector{};
}

TEST(Variation, ListsOfAllKinds) {
  EXPECT_EQ(list_in("k=1:5"), (Vector{1, 2, 3, 4, 5}));
  EXPECT_EQ(list_in("k = 5 : -2 : 1"), (Vector{5, 3, 1}));
  EXPECT_EQ(list_in("k=1:2:6"), (Vector{1, 3, 5}));  // the end is not met
  EXPECT_EQ(list_in("k=2,-1, 5"), (Vector{2, -1, 5}));
  EXPECT_EQ(list_in("k=linspace(0,1,5)"), (Vector{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(list_in("k=linspace(3,7,1)"), (Vector{3}));
}

// 1 + 10 * 0.1 is 2 to rounding only: the end is met exactly, and its neighbour is not lost.
TEST(Variation, ARangeMeetsItsEndExactly) {
  const Vector tenths = list_in("k=1:0.1:2");
  ASSERT_EQ(tenths.size(), 11U);
  EXPECT_EQ(tenths.back(), 2.0);
  EXPECT_NEAR(tenths[9], 1.9, 1e-15);
  EXPECT_EQ(list_in("k=0:0.1:0.3").size(), 4U);  // 0.3 / 0.1 is 2.9999999999999996
  EXPECT_EQ(list_in("k=0:0.1:0.3").back(), 0.3);
}

TEST(Variation, GeometricListsGoFromValueToValue) {
  const Vector decades = list_in("k=logspace(1,1e4,5)");
  ASSERT_EQ(decades.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(decades[i] / std::pow(10.0, static_cast<double>(i)), 1.0, 1e-14);
  EXPECT_EQ(decades.front(), 1.0);
  EXPECT_EQ(decades.back(), 1e4);
  EXPECT_NEAR(list_in("k=logspace(-1,-4,3)")[1], -2.0, 1e-15);
}

TEST(Variation, PlainSettingsAreNone) {
  for (const char* text : {"k=3", "k=2*pi", "k=sin(1)", "r={1,2,3}", "m=[1,2;3,4]", "k", "=3", "k="})
    EXPECT_FALSE(variation_from(text)) << text;
}

TEST(Variation, WhatCannotBeMeantIsRefused) {
  for (const char* text : {"k=1:0:2", "k=1:-1:2", "k=1:x", "k=1:2:3:4", "k=1,x", "k=linspace(0,1)", "k=linspace(0,1,0)",
                           "k=linspace(0,1,2.5)", "k=logspace(0,1,3)", "k=logspace(-1,1,3)", "k=0:1e-9:1", "k=1:nan",
                           "g~gamma(1,2)", "g~normal(1)", "g~normal(1,0)", "g~normal(1,-1)", "g~uniform(2,1)", "g~3"})
    EXPECT_THROW(variation_from(text), Misuse) << text;
}

// Values of tables of the normal distribution, and its symmetry; the others follow from it by their definition.
TEST(Variation, QuantilesOfTheDistributions) {
  const auto drawn = [](const char* text) { return std::get<Distribution>(variation_from(text)->values); };
  EXPECT_DOUBLE_EQ(quantile(drawn("g~normal(0,1)"), 0.975), 1.959963984540054);
  EXPECT_DOUBLE_EQ(quantile(drawn("g~normal(0,1)"), 1e-10), -6.361340902404056);
  EXPECT_DOUBLE_EQ(quantile(drawn("g~normal(3,2)"), 0.5), 3.0);
  EXPECT_DOUBLE_EQ(quantile(drawn("g~normal(3,2)"), 0.975), 3.0 + 2.0 * 1.959963984540054);
  EXPECT_DOUBLE_EQ(quantile(drawn("g~lognormal(1,0.5)"), 0.975), std::exp(1.0 + 0.5 * 1.959963984540054));
  EXPECT_DOUBLE_EQ(quantile(drawn("g~uniform(-1,3)"), 0.25), 0.0);
}

}  // namespace
}  // namespace driftless::variation_test
