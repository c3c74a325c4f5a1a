#include "driftless/core/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "driftless/core/failure.h"

namespace driftless::interval_test {
namespace {

TEST(Interval, RoundsOutwardByOneNumberAndNoMore) {
  const Interval third = Interval(1.0) / Interval(3.0);
  EXPECT_LT(third.lower(), third.upper());
  EXPECT_EQ(std::nextafter(third.lower(), 1.0), third.upper());
  EXPECT_TRUE(((third + third + third) - Interval(1.0)).contains(0.0));
  const Interval half = Interval(1.0) / Interval(2.0);
  EXPECT_TRUE(half.is_point());  // exact results stay points
  EXPECT_TRUE((Interval(0.25) + Interval(3.0)).is_point());
  EXPECT_FALSE((Interval(0.1) + Interval(1e20)).is_point());
  EXPECT_TRUE((Interval(0.0) * Interval::whole()).is_point());
  EXPECT_EQ(sqrt(Interval(2.25)).lower(), 1.5);
  EXPECT_LT(sqrt(Interval(2.0)).lower(), sqrt(Interval(2.0)).upper());
}

TEST(Interval, ContainsEveryResultOfTheOperands) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> number(-3.0, 3.0), part(0.0, 1.0);
  const auto pick = [&](const Interval& x) {
    return std::clamp(x.lower() + part(engine) * (x.upper() - x.lower()), x.lower(), x.upper());
  };
  for (int trial = 0; trial < 4000; ++trial) {
    double ends[4] = {number(engine), number(engine), number(engine), number(engine)};
    std::sort(ends, ends + 2);
    std::sort(ends + 2, ends + 4);
    const Interval x(ends[0], ends[1]), y(ends[2], ends[3]);
    const double a = pick(x), b = pick(y);
    const auto encloses = [&](const Interval& result, long double exact) {
      EXPECT_LE(result.lower(), exact) << x.lower() << ' ' << x.upper() << ' ' << a;
      EXPECT_GE(result.upper(), exact) << x.lower() << ' ' << x.upper() << ' ' << a;
    };
    const long double la = a, lb = b;
    encloses(x + y, la + lb);
    encloses(x - y, la - lb);
    encloses(x * y, la * lb);
    if (!y.contains(0.0)) encloses(x / y, la / lb);
    encloses(square(x), la * la);
    encloses(sin(x), std::sin(la));
    encloses(cos(x), std::cos(la));
    if (tan(x).is_bounded()) encloses(tan(x), std::tan(la));
    encloses(atan(x), std::atan(la));
    encloses(exp(x), std::exp(la));
    encloses(sinh(x), std::sinh(la));
    encloses(cosh(x), std::cosh(la));
    encloses(tanh(x), std::tanh(la));
    encloses(abs(x), std::abs(la));
    encloses(min(x, y), std::min(la, lb));
    encloses(max(x, y), std::max(la, lb));
    encloses(pow(x, 3.0), la * la * la);
    encloses(pow(x, 4.0), la * la * la * la);
    if (x.lower() > 0.0) {
      encloses(log(x), std::log(la));
      encloses(sqrt(x), std::sqrt(la));
      encloses(pow(x, 1.7), std::pow(la, 1.7));
      encloses(pow(x, -2.0), 1.0L / (la * la));
    }
    if (x.magnitude() <= 1.0) {
      encloses(asin(x), std::asin(la));
      encloses(acos(x), std::acos(la));
    }
  }
}

TEST(Interval, FindsTheExtremaOfWaves) {
  EXPECT_EQ(sin(Interval(1.0, 2.0)).upper(), 1.0);
  EXPECT_NEAR(sin(Interval(1.0, 2.0)).lower(), std::sin(1.0), 1e-15);
  EXPECT_EQ(sin(Interval(4.0, 5.0)).lower(), -1.0);
  EXPECT_EQ(cos(Interval(-1.0, 1.0)).upper(), 1.0);
  EXPECT_EQ(cos(Interval(3.0, 3.5)).lower(), -1.0);
  EXPECT_EQ(cos(Interval(0.0, 7.0)).lower(), -1.0);
  EXPECT_NEAR(cos(Interval(1.0, 1.5)).upper(), std::cos(1.0), 1e-15);
  EXPECT_FALSE(tan(Interval(1.0, 2.0)).is_bounded());
  EXPECT_TRUE(tan(Interval(-1.5, 1.5)).is_bounded());
}

TEST(Interval, IsTheWholeLineWhereAFunctionIsNotDefined) {
  EXPECT_FALSE((Interval(1.0) / Interval(-1.0, 1.0)).is_bounded());
  EXPECT_FALSE((Interval(1.0) / Interval(0.0)).is_bounded());
  EXPECT_FALSE(log(Interval(-1.0, 1.0)).is_bounded());
  EXPECT_FALSE(sqrt(Interval(-1.0, 1.0)).is_bounded());
  EXPECT_FALSE(asin(Interval(0.0, 2.0)).is_bounded());
  EXPECT_EQ((Interval(1.0) / Interval(0.0, 2.0)).lower(), 0.5);
}

TEST(Interval, StaysBelowInfinityWhereTheNumbersOverflow) {
  const double largest = std::numeric_limits<double>::max();
  const Interval sum = Interval(largest) + Interval(largest);
  EXPECT_EQ(sum.lower(), largest);
  EXPECT_TRUE(std::isinf(sum.upper()));
  EXPECT_EQ((Interval(largest) * Interval(2.0)).lower(), largest);
  const Interval smallest = Interval(1e-300) * Interval(1e-300);
  EXPECT_LE(smallest.lower(), 0.0);
  EXPECT_GT(smallest.upper(), 0.0);
}

TEST(Interval, ComparesOnlyWhatIsCertain) {
  EXPECT_TRUE(Interval(0.0, 1.0) < Interval(2.0));
  EXPECT_FALSE(Interval(2.0, 3.0) < Interval(2.0));
  EXPECT_TRUE(Interval(1.0, 2.0) <= Interval(2.0, 3.0));
  EXPECT_THROW((void)(Interval(0.0, 2.0) < Interval(1.0)), UndecidedComparison);
  EXPECT_THROW((void)(Interval(0.0, 2.0) == Interval(1.0)), UndecidedComparison);
  EXPECT_THROW(Interval(2.0, 1.0), Misuse);
}

}  // namespace
}  // namespace driftless::interval_test
