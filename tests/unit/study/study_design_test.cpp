#include "driftless/study/study_design.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "driftless/core/failure.h"
#include "driftless/study/unit_samples.h"

namespace driftless::study_design_test {
namespace {

std::vector<Variation> all_of(std::initializer_list<const char*> texts) {
  std::vector<Variation> variations;
  for (const char* text : texts) variations.push_back(*variation_from(text));
  return variations;
}

TEST(StudyDesign, AGridHasAllWithAll) {
  const StudyDesign design({.variations = all_of({"a=1,2", "b=10,20,30"})});
  ASSERT_EQ(design.size(), 6U);
  const std::vector<Vector> wanted = {{1, 10}, {1, 20}, {1, 30}, {2, 10}, {2, 20}, {2, 30}};
  for (std::size_t run = 0; run < 6; ++run) EXPECT_EQ(design.values(run), wanted[run]) << run;
}

TEST(StudyDesign, InStepTakesTheFirstWithTheFirst) {
  const StudyDesign design({.variations = all_of({"a=1,2", "b=10,20"}), .combination = Combination::in_step});
  ASSERT_EQ(design.size(), 2U);
  EXPECT_EQ(design.values(0), (Vector{1, 10}));
  EXPECT_EQ(design.values(1), (Vector{2, 20}));
}

TEST(StudyDesign, ATableIsOneMoreList) {
  for (const Combination combination : {Combination::grid, Combination::in_step}) {
    const StudyDesign design({.variations = all_of({"a=1,2"}),
                              .combination = combination,
                              .table_names = {"x", "y"},
                              .table = {{5, 6}, {7, 8}, {9, 10}}});
    ASSERT_EQ(design.size(), 6U);
    EXPECT_EQ(design.names(), (std::vector<std::string>{"x", "y", "a"}));
    EXPECT_EQ(design.values(0), (Vector{5, 6, 1}));
    EXPECT_EQ(design.values(1), (Vector{5, 6, 2}));
    EXPECT_EQ(design.values(5), (Vector{9, 10, 2}));
  }
}

// Each point of the lists gets the same samples: differences between points are not those of samples.
TEST(StudyDesign, SamplesAreTheSameAtEachPointOfTheLists) {
  for (const SampleRule sampling : {SampleRule::latin, SampleRule::sobol, SampleRule::random}) {
    const StudyDesign design(
        {.variations = all_of({"a=1,2", "g~uniform(0,1)"}), .samples = 7, .sampling = sampling, .seed = 3});
    ASSERT_EQ(design.size(), 14U);
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_EQ(design.values(i)[0], 1.0);
      EXPECT_EQ(design.values(7 + i)[0], 2.0);
      EXPECT_EQ(design.values(i)[1], design.values(7 + i)[1]);
    }
  }
}

TEST(StudyDesign, SeedsAndDimensionsDiffer) {
  for (const SampleRule sampling : {SampleRule::latin, SampleRule::sobol, SampleRule::random}) {
    EXPECT_NE(unit_sample(sampling, 1, 0, 5, 64), unit_sample(sampling, 2, 0, 5, 64));
    EXPECT_NE(unit_sample(sampling, 1, 0, 5, 64), unit_sample(sampling, 1, 1, 5, 64));
    EXPECT_EQ(unit_sample(sampling, 1, 1, 5, 64), unit_sample(sampling, 1, 1, 5, 64));
  }
}

// One sample in each stratum, in every dimension.
TEST(StudyDesign, LatinHypercubesFillEveryStratum) {
  for (const std::size_t count : {1U, 2U, 3U, 17U, 64U, 1000U})
    for (std::size_t dimension = 0; dimension < 4; ++dimension) {
      std::set<std::size_t> strata;
      for (std::size_t i = 0; i < count; ++i) {
        const double x = unit_sample(SampleRule::latin, 11, dimension, i, count);
        EXPECT_GT(x, 0.0);
        EXPECT_LT(x, 1.0);
        strata.insert(static_cast<std::size_t>(x * static_cast<double>(count)));
      }
      EXPECT_EQ(strata.size(), count);
    }
}

// The order of the strata is not that of the samples, nor that of another dimension.
TEST(StudyDesign, LatinHypercubesAreShuffled) {
  const std::size_t count = 1000;
  double with_index = 0.0, with_other = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = unit_sample(SampleRule::latin, 5, 0, i, count) - 0.5;
    with_index += x * (static_cast<double>(i) / count - 0.5);
    with_other += x * (unit_sample(SampleRule::latin, 5, 1, i, count) - 0.5);
  }
  // Correlations of independent samples have a deviation of 1/sqrt(1000) = 0.032; the variance of each is 1/12.
  EXPECT_LT(std::abs(12.0 * with_index / count), 0.13);
  EXPECT_LT(std::abs(12.0 * with_other / count), 0.13);
}

TEST(StudyDesign, PermutationsAreOneToOne) {
  for (const std::uint64_t count : {1U, 2U, 5U, 16U, 100U, 4097U}) {
    std::vector<char> met(count, 0);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t j = permuted(42, i, count);
      ASSERT_LT(j, count);
      met[j] = 1;
    }
    EXPECT_TRUE(std::ranges::all_of(met, [](char yes) { return yes != 0; })) << count;
  }
}

// The first points in the first three dimensions, as in the tables of Joe and Kuo.
TEST(StudyDesign, SobolsSequenceBeginsAsPublished) {
  const double wanted[8][3] = {{0, 0, 0},
                               {0.5, 0.5, 0.5},
                               {0.25, 0.75, 0.75},
                               {0.75, 0.25, 0.25},
                               {0.125, 0.625, 0.375},
                               {0.625, 0.125, 0.875},
                               {0.375, 0.375, 0.625},
                               {0.875, 0.875, 0.125}};
  for (std::uint32_t i = 0; i < 8; ++i)
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(sobol_digits(k, i) * 0x1p-32, wanted[i][k]) << i << ' ' << k;
}

// 2^10 points: one in each of 2^10 parts of every axis, which a wrong direction number spoils.
TEST(StudyDesign, SobolsPointsAreStratifiedInEveryDimension) {
  for (std::size_t dimension = 0; dimension < most_sobol_dimensions; ++dimension) {
    std::set<std::uint32_t> parts;
    for (std::uint32_t i = 0; i < 1024; ++i) parts.insert(sobol_digits(dimension, i) >> 22);
    EXPECT_EQ(parts.size(), 1024U) << dimension;
  }
}

// In the first two dimensions each elementary box of volume 2^-10 has one point of 2^10.
TEST(StudyDesign, SobolsFirstTwoDimensionsAreANet) {
  for (unsigned first = 0; first <= 10; ++first) {
    std::set<std::uint64_t> boxes;
    for (std::uint32_t i = 0; i < 1024; ++i) {
      const std::uint64_t x = first == 0 ? 0 : sobol_digits(0, i) >> (32 - first);
      const std::uint64_t y = first == 10 ? 0 : sobol_digits(1, i) >> (22 + first);
      boxes.insert(x << 32 | y);
    }
    EXPECT_EQ(boxes.size(), 1024U) << first;
  }
}

TEST(StudyDesign, WhatDoesNotFitTogetherIsRefused) {
  EXPECT_THROW(StudyDesign({}), Misuse);
  EXPECT_THROW(StudyDesign({.variations = all_of({"a=1,2", "a=3,4"})}), Misuse);
  EXPECT_THROW(StudyDesign({.variations = all_of({"a=1,2"}), .table_names = {"a"}, .table = {{1}}}), Misuse);
  EXPECT_THROW(StudyDesign({.variations = all_of({"a=1,2", "b=1,2,3"}), .combination = Combination::in_step}), Misuse);
  EXPECT_THROW(StudyDesign({.variations = all_of({"g~normal(0,1)"})}), Misuse);
  EXPECT_THROW(StudyDesign({.variations = all_of({"a=1,2"}), .samples = 5}), Misuse);
  EXPECT_THROW(StudyDesign({.variations = all_of({"a=linspace(0,1,100000)", "b=linspace(0,1,100000)"})}), Misuse);
}

}  // namespace
}  // namespace driftless::study_design_test
