// Coefficients of the families against closed forms.
#include "driftless/tableau/families.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "driftless/core/failure.h"

namespace driftless::families_test {
namespace {

using Real = long double;

// Closed forms in long double, at most one unit in the last place of a double away.
void expect_last_bit(double computed, Real exact) {
  const double rounded = static_cast<double>(exact);
  const double up = std::nextafter(rounded, std::numeric_limits<double>::infinity());
  const double down = std::nextafter(rounded, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(computed >= down && computed <= up) << computed << " is not " << rounded;
}

void expect_coefficients(const Tableau& t, const std::vector<std::vector<Real>>& a, const std::vector<Real>& b,
                         const std::vector<Real>& c) {
  SCOPED_TRACE(t.name);
  ASSERT_EQ(t.stages(), b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    expect_last_bit(t.b[i], b[i]);
    expect_last_bit(t.c[i], c[i]);
    for (std::size_t j = 0; j < b.size(); ++j) expect_last_bit(t.a(i, j), a[i][j]);
  }
}

TEST(Families, Gauss) {
  const Real r3 = std::sqrt(3.0L);
  const Real r15 = std::sqrt(15.0L);
  expect_coefficients(gauss(1), {{0.5L}}, {1}, {0.5L});
  expect_coefficients(gauss(2), {{1 / 4.0L, 1 / 4.0L - r3 / 6}, {1 / 4.0L + r3 / 6, 1 / 4.0L}}, {0.5L, 0.5L},
                      {0.5L - r3 / 6, 0.5L + r3 / 6});
  expect_coefficients(gauss(3),
                      {{5 / 36.0L, 2 / 9.0L - r15 / 15, 5 / 36.0L - r15 / 30},
                       {5 / 36.0L + r15 / 24, 2 / 9.0L, 5 / 36.0L - r15 / 24},
                       {5 / 36.0L + r15 / 30, 2 / 9.0L + r15 / 15, 5 / 36.0L}},
                      {5 / 18.0L, 4 / 9.0L, 5 / 18.0L}, {0.5L - r15 / 10, 0.5L, 0.5L + r15 / 10});
}

TEST(Families, RadauIA) {
  const Real r6 = std::sqrt(6.0L);
  expect_coefficients(radau_ia(1), {{1}}, {1}, {0});
  expect_coefficients(radau_ia(2), {{1 / 4.0L, -1 / 4.0L}, {1 / 4.0L, 5 / 12.0L}}, {1 / 4.0L, 3 / 4.0L}, {0, 2 / 3.0L});
  expect_coefficients(radau_ia(3),
                      {{1 / 9.0L, (-1 - r6) / 18, (-1 + r6) / 18},
                       {1 / 9.0L, (88 + 7 * r6) / 360, (88 - 43 * r6) / 360},
                       {1 / 9.0L, (88 + 43 * r6) / 360, (88 - 7 * r6) / 360}},
                      {1 / 9.0L, (16 + r6) / 36, (16 - r6) / 36}, {0, (6 - r6) / 10, (6 + r6) / 10});
}

TEST(Families, RadauIIA) {
  const Real r6 = std::sqrt(6.0L);
  expect_coefficients(radau_iia(1), {{1}}, {1}, {1});
  expect_coefficients(radau_iia(2), {{5 / 12.0L, -1 / 12.0L}, {3 / 4.0L, 1 / 4.0L}}, {3 / 4.0L, 1 / 4.0L},
                      {1 / 3.0L, 1});
  expect_coefficients(radau_iia(3),
                      {{(88 - 7 * r6) / 360, (296 - 169 * r6) / 1800, (-2 + 3 * r6) / 225},
                       {(296 + 169 * r6) / 1800, (88 + 7 * r6) / 360, (-2 - 3 * r6) / 225},
                       {(16 - r6) / 36, (16 + r6) / 36, 1 / 9.0L}},
                      {(16 - r6) / 36, (16 + r6) / 36, 1 / 9.0L}, {(4 - r6) / 10, (4 + r6) / 10, 1});
}

TEST(Families, Collocation) {
  expect_coefficients(collocation2(), {{69 / 185.0L, -27 / 370.0L}, {605 / 888.0L, 209 / 888.0L}},
                      {25 / 37.0L, 12 / 37.0L}, {3 / 10.0L, 11 / 12.0L});
}

TEST(Families, LobattoIIIC) {
  expect_coefficients(lobatto_iiic(2), {{0.5L, -0.5L}, {0.5L, 0.5L}}, {0.5L, 0.5L}, {0, 1});
  expect_coefficients(
      lobatto_iiic(3),
      {{1 / 6.0L, -1 / 3.0L, 1 / 6.0L}, {1 / 6.0L, 5 / 12.0L, -1 / 12.0L}, {1 / 6.0L, 2 / 3.0L, 1 / 6.0L}},
      {1 / 6.0L, 2 / 3.0L, 1 / 6.0L}, {0, 0.5L, 1});
  const Real r5 = std::sqrt(5.0L);
  expect_coefficients(lobatto_iiic(4),
                      {{1 / 12.0L, -r5 / 12, r5 / 12, -1 / 12.0L},
                       {1 / 12.0L, 1 / 4.0L, (10 - 7 * r5) / 60, r5 / 60},
                       {1 / 12.0L, (10 + 7 * r5) / 60, 1 / 4.0L, -r5 / 60},
                       {1 / 12.0L, 5 / 12.0L, 5 / 12.0L, 1 / 12.0L}},
                      {1 / 12.0L, 5 / 12.0L, 5 / 12.0L, 1 / 12.0L}, {0, (5 - r5) / 10, (5 + r5) / 10, 1});
}

TEST(Families, AlexandersGammaHasItsPublishedDigits) {
  expect_last_bit(sdirk3().a(0, 0), 0.4358665215084589994160194511935568L);
}

// The published 16 digits of Brasey's thesis; the refined ones must be the same method.
TEST(Families, Hem5StaysCloseToThePublishedDigits) {
  const Tableau t = hem5();
  EXPECT_NEAR(t.a(3, 0), 0.3222169236216038, 2e-13);
  EXPECT_NEAR(t.a(6, 4), 0.1615170091109488, 2e-13);
  EXPECT_NEAR(t.a(7, 4), -0.4617724189181256, 2e-13);
  EXPECT_NEAR(t.b[7], 0.05919806516005373, 2e-13);
  EXPECT_NEAR(t.c[4], 0.08535584335486351, 2e-13);
  EXPECT_EQ(t.a(7, 0), 0.0);
}

TEST(Families, LastRowIsExactlyTheWeightsWhereStiffAccuracyIsPromised) {
  for (int s = 2; s <= most_stages; ++s) {
    for (const Tableau& t : {radau_iia(s), lobatto_iiic(s)}) {
      EXPECT_EQ(t.c.back(), 1.0) << t.name;
      for (std::size_t j = 0; j < t.stages(); ++j) EXPECT_EQ(t.a(t.stages() - 1, j), t.b[j]) << t.name;
    }
  }
}

// Gauss nodes and weights are symmetric about 1/2 up to the rounding of 1 - c.
TEST(Families, GaussIsSymmetric) {
  for (int s = 1; s <= most_stages; ++s) {
    const Tableau t = gauss(s);
    for (std::size_t i = 0; i < t.stages(); ++i) {
      EXPECT_NEAR(t.c[i] + t.c[t.stages() - 1 - i], 1.0, 2e-16) << t.name;
      EXPECT_EQ(t.b[i], t.b[t.stages() - 1 - i]) << t.name;
    }
  }
}

TEST(Families, RejectImpossibleStageNumbers) {
  EXPECT_THROW(gauss(0), Misuse);
  EXPECT_THROW(gauss(11), Misuse);
  EXPECT_THROW(radau_ia(-1), Misuse);
  EXPECT_THROW(radau_iia(11), Misuse);
  EXPECT_THROW(lobatto_iiic(1), Misuse);
  EXPECT_NO_THROW(lobatto_iiic(10));
  try {
    lobatto_iiic(1);
  } catch (const Misuse& misuse) {
    EXPECT_STREQ(misuse.what(), "Lobatto IIIC with 1 stages: the number of stages must be 2 to 10");
  }
}

}  // namespace
}  // namespace driftless::families_test
