// Every elementary function: value, first and second derivative against differences in long double.
#include "driftless/autodiff/functions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace driftless::functions_test {
namespace {

using One = Dual<double, 1>;
using Wide = Dual<double, 8>;
using Second = Taylor<double>;
using Nested = Dual<Dual<double, 1>, 1>;
using Both = GradientTaylor<8>;

One along(double x) {
  One result(x);
  result.d.set(0, 1.0);
  return result;
}
Nested along_twice(double x) {
  Nested result(x);
  result.value.d.set(0, 1.0);
  result.d.set(0, One(1.0));
  return result;
}

using Real = long double;

struct Function {
  const char* name;
  std::function<Real(Real)> exact;
  std::function<One(One)> first;
  std::function<Second(Second)> second;
  std::function<Nested(Nested)> nested;
  std::function<Wide(Wide)> wide;
  std::function<Both(Both)> both;
  std::vector<double> points;
};

#define FUNCTION(name, points)                                                                                 \
  Function {                                                                                                   \
#name, [](Real x) { return std::name(x); }, [](One x) { return name(x); }, [](Second x) { return name(x); }, \
             [](Nested x) { return name(x); }, [](Wide x) { return name(x); }, [](Both x) { return name(x); }, \
             points \
  }
#define FORMULA(text, expression, points)                                                         \
  Function {                                                                                      \
    text,                                                                                         \
        [](Real x) -> Real {                                                                      \
          using std::pow, std::atan2, std::hypot, std::fabs, std::exp, std::sqrt, std::sin;       \
          return expression;                                                                      \
        },                                                                                        \
        [](One x) -> One { return expression; }, [](Second x) -> Second { return expression; },   \
        [](Nested x) -> Nested { return expression; }, [](Wide x) -> Wide { return expression; }, \
        [](Both x) -> Both { return expression; }, points                                         \
  }
#define AT(...) \
  std::vector<double> { __VA_ARGS__ }

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      FUNCTION(sin, AT(-2.0, 0.0, 0.3, 4.0)),
      FUNCTION(cos, AT(-2.0, 0.0, 0.3, 4.0)),
      FUNCTION(tan, AT(-1.2, 0.0, 0.3, 2.0)),
      FUNCTION(asin, AT(-0.9, 0.0, 0.5)),
      FUNCTION(acos, AT(-0.9, 0.0, 0.5)),
      FUNCTION(atan, AT(-3.0, 0.0, 0.5)),
      FUNCTION(sinh, AT(-2.0, 0.0, 1.5)),
      FUNCTION(cosh, AT(-2.0, 0.0, 1.5)),
      FUNCTION(tanh, AT(-2.0, 0.0, 1.5)),
      FUNCTION(exp, AT(-2.0, 0.0, 1.5)),
      FUNCTION(log, AT(0.1, 1.0, 20.0)),
      FUNCTION(log10, AT(0.1, 1.0, 20.0)),
      FUNCTION(sqrt, AT(0.1, 1.0, 20.0)),
      FUNCTION(abs, AT(-1.5, 2.0)),
      FUNCTION(fabs, AT(-1.5, 2.0)),
      FORMULA("x + 3", x + 3, AT(0.7)),
      FORMULA("3 - x", 3 - x, AT(0.7)),
      FORMULA("-x * 2.5f", -x * 2.5f, AT(0.7)),
      FORMULA("x * x * x", x * x * x, AT(-1.1, 0.7)),
      FORMULA("1 / x", 1 / x, AT(-1.1, 0.7)),
      FORMULA("x / (1 + x*x)", x / (1 + x * x), AT(-1.1, 0.7)),
      FORMULA("(x - x*x) / 7", (x - x * x) / 7, AT(0.7)),
      FORMULA("pow(x, 3)", pow(x, 3), AT(-2.0, 0.5)),
      FORMULA("pow(x, 2.5)", pow(x, 2.5), AT(0.5, 3.0)),
      FORMULA("pow(x, -2)", pow(x, -2), AT(-1.5, 0.5)),
      FORMULA("pow(2, x)", pow(2, x), AT(-1.5, 0.5)),
      FORMULA("pow(x, x)", pow(x, x), AT(0.5, 2.0)),
      FORMULA("atan2(x, 1 + x)", atan2(x, 1 + x), AT(0.3, -3.0, 5.0)),
      FORMULA("atan2(-1 - x*x, x)", atan2(-1 - x * x, x), AT(0.2, -0.2, -4.0)),
      FORMULA("atan2(x, -1 - x)", atan2(x, -1 - x), AT(0.1, -0.4)),
      FORMULA("hypot(x, 1 - x)", hypot(x, 1 - x), AT(0.3, -2.0)),
      FORMULA("exp(sin(x) * sqrt(x))", exp(sin(x) * sqrt(x)), AT(0.3, 2.0)),
  };
  return all;
}

// Central differences of order 8 in extended precision: about 15 and 12 digits.
Real first_difference(const std::function<Real(Real)>& f, Real x) {
  const Real h = 5e-4L;
  const Real c[] = {4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
  Real sum = 0;
  for (int k = 1; k <= 4; ++k) sum += c[k - 1] * (f(x + k * h) - f(x - k * h));
  return sum / h;
}
Real second_difference(const std::function<Real(Real)>& f, Real x) {
  const Real h = 5e-4L;
  const Real c[] = {8.0L / 5, -1.0L / 5, 8.0L / 315, -1.0L / 560};
  Real sum = -205.0L / 72 * f(x);
  for (int k = 1; k <= 4; ++k) sum += c[k - 1] * (f(x + k * h) + f(x - k * h));
  return sum / (h * h);
}

TEST(ElementaryFunctionsTest, ValuesAndDerivativesAgreeWithDifferences) {
  for (const auto& function : functions())
    for (double x : function.points) {
      SCOPED_TRACE(fmt::format("{} at {}", function.name, x));
      const double f = static_cast<double>(function.exact(x));
      const double df = static_cast<double>(first_difference(function.exact, x));
      const double ddf = static_cast<double>(second_difference(function.exact, x));
      const double scale = 1.0 + std::abs(f) + std::abs(df) + std::abs(ddf);

      const One first = function.first(along(x));
      EXPECT_NEAR(first.value, f, 1e-15 * scale);
      EXPECT_NEAR(first.d.get(0), df, 1e-12 * scale);

      // Along the curve x + 2 s + 3 s^2: y' = 2 f', y'' = 4 f'' + 6 f'.
      const Second second = function.second(Second(x, 2.0, 6.0));
      EXPECT_NEAR(second.value, f, 1e-15 * scale);
      EXPECT_NEAR(second.first, 2.0 * df, 1e-12 * scale);
      EXPECT_NEAR(second.second, 4.0 * ddf + 6.0 * df, 1e-10 * scale);

      const Nested nested = function.nested(along_twice(x));
      EXPECT_NEAR(value_of(nested), f, 1e-15 * scale);
      EXPECT_NEAR(nested.value.d.get(0), df, 1e-12 * scale);
      EXPECT_NEAR(nested.d.get(0).value, df, 1e-12 * scale);
      EXPECT_NEAR(nested.d.get(0).d.get(0), ddf, 1e-11 * scale);

      Wide wide(x);
      for (int lane = 0; lane < 8; ++lane) wide.d.set(lane, lane - 3.0);
      const Wide result = function.wide(wide);
      for (int lane = 0; lane < 8; ++lane) EXPECT_NEAR(result.d.get(lane), (lane - 3.0) * df, 1e-11 * scale);

      const Both both = function.both(Both(x, 2.0, 6.0, wide.d));
      EXPECT_EQ(both.value, second.value);
      EXPECT_EQ(both.first, second.first);
      EXPECT_EQ(both.second, second.second);
      for (int lane = 0; lane < 8; ++lane) EXPECT_EQ(both.d.get(lane), result.d.get(lane));
    }
}

TEST(ElementaryFunctionsTest, SineAndCosineTogether) {
  const auto [s, c] = sin_cos(0.4);
  EXPECT_EQ(s, std::sin(0.4));
  EXPECT_EQ(c, std::cos(0.4));
  const Nested x = along_twice(0.4);
  const auto [sine, cosine] = sin_cos(x);
  for (const auto& [together, alone] : {std::pair(sine, sin(x)), std::pair(cosine, cos(x))}) {
    EXPECT_EQ(value_of(together), value_of(alone));
    EXPECT_EQ(together.value.d.get(0), alone.value.d.get(0));
    EXPECT_EQ(together.d.get(0).d.get(0), alone.d.get(0).d.get(0));
  }
}

// Third derivatives by Taylor over Dual, against closed forms.
TEST(ElementaryFunctionsTest, NestingGivesThirdDerivatives) {
  using Third = Taylor<One>;
  const double x = 0.4;
  const Third at(along(x), One(1.0), One(0.0));
  EXPECT_NEAR(sin(at).second.d.get(0), -std::cos(x), 1e-15);
  EXPECT_NEAR(log(at).second.d.get(0), 2.0 / (x * x * x), 1e-13);
  EXPECT_NEAR((at * at * at * at).second.d.get(0), 24.0 * x, 1e-14);
  EXPECT_NEAR((1.0 / at).second.d.get(0), -6.0 / std::pow(x, 4), 1e-12);
  EXPECT_NEAR(pow(at, 4.5).second.d.get(0), 4.5 * 3.5 * 2.5 * std::pow(x, 1.5), 1e-13);
}

TEST(PowTest, AtZero) {
  for (double p : {1.0, 2.0, 3.0}) {
    const One y = pow(along(0.0), p);
    EXPECT_EQ(y.value, 0.0) << p;
    EXPECT_EQ(y.d.get(0), p == 1.0 ? 1.0 : 0.0) << p;
    const Second z = pow(Second(0.0, 1.0, 0.0), p);
    EXPECT_EQ(z.first, p == 1.0 ? 1.0 : 0.0) << p;
    EXPECT_EQ(z.second, p == 2.0 ? 2.0 : 0.0) << p;
    const Nested n = pow(along_twice(0.0), p);
    EXPECT_EQ(n.d.get(0).d.get(0), p == 2.0 ? 2.0 : 0.0) << p;
  }
  EXPECT_EQ(pow(along(0.0), 0.0).value, 1.0);
  EXPECT_EQ(pow(along(0.0), 0.0).d.get(0), 0.0);
  EXPECT_EQ(pow(along(0.0), 1.5).d.get(0), 0.0);
  EXPECT_TRUE(std::isinf(pow(along(0.0), 0.5).d.get(0)));
}

// A formula may write pow(x, T(2)): the exponent then is of the derivative type but constant.
TEST(PowTest, NegativeOrZeroBaseWithAConstantExponentOfTheSameType) {
  for (double x : {-1.5, 0.0, 1.5}) {
    const One y = pow(along(x), One(3.0));
    EXPECT_DOUBLE_EQ(y.value, x * x * x);
    EXPECT_DOUBLE_EQ(y.d.get(0), 3.0 * x * x);
    const Second z = pow(Second(x, 1.0, 0.0), Second(3.0));
    EXPECT_DOUBLE_EQ(z.second, 6.0 * x);
    const Nested n = pow(along_twice(x), Nested(3.0));
    EXPECT_DOUBLE_EQ(n.d.get(0).d.get(0), 6.0 * x);
  }
  EXPECT_DOUBLE_EQ(pow(-2.0, One(3.0)).value, -8.0);
  EXPECT_EQ(pow(-2.0, One(3.0)).d.get(0), 0.0);
  EXPECT_TRUE(std::isnan(pow(-2.0, along(3.0)).d.get(0)));  // no real derivative by the exponent
  EXPECT_EQ(pow(0.0, along(3.0)).value, 0.0);
  EXPECT_EQ(pow(0.0, along(3.0)).d.get(0), 0.0);
}

TEST(Atan2Test, AllQuadrantsAndAxes) {
  for (int k = -7; k <= 8; ++k) {
    const double angle = 3.14159265358979323846 * k / 8.0, y = 2.0 * std::sin(angle), x = 2.0 * std::cos(angle);
    using Two = Dual<double, 4>;
    Two dy(y), dx(x);
    dy.d.set(0, 1.0);
    dx.d.set(1, 1.0);
    const Two result = atan2(dy, dx);
    EXPECT_NEAR(result.value, angle, 1e-15) << k;
    EXPECT_NEAR(result.d.get(0), x / 4.0, 1e-15) << k;
    EXPECT_NEAR(result.d.get(1), -y / 4.0, 1e-15) << k;
  }
  EXPECT_EQ(atan2(One(1.0), One(0.0)).value, std::atan2(1.0, 0.0));
  EXPECT_EQ(atan2(One(0.0), One(-1.0)).value, std::atan2(0.0, -1.0));
  EXPECT_EQ(atan2(One(-0.0), One(-1.0)).value, std::atan2(-0.0, -1.0));
}

TEST(MixedArgumentsTest, PlainNumbersAreAcceptedOnEitherSide) {
  const One x = along(0.5);
  EXPECT_EQ(max(x, 0.0).d.get(0), 1.0);
  EXPECT_EQ(max(x, 1).d.get(0), 0.0);
  EXPECT_EQ(max(1.0, x).value, 1.0);
  EXPECT_EQ(min(x, 0.0).d.get(0), 0.0);
  EXPECT_EQ(min(2.0, x).d.get(0), 1.0);
  EXPECT_DOUBLE_EQ(atan2(x, 1.0).d.get(0), 1.0 / 1.25);
  EXPECT_DOUBLE_EQ(atan2(1.0, x).d.get(0), -1.0 / 1.25);
  EXPECT_DOUBLE_EQ(hypot(x, 2.0).d.get(0), 0.5 / std::sqrt(4.25));
  EXPECT_DOUBLE_EQ(hypot(2, x).value, std::sqrt(4.25));
}

TEST(ComparisonTest, LooksAtValuesOnly) {
  const One a = along(1.0), b(1.0), c(2.0);
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a < b);
  EXPECT_TRUE(a <= b);
  EXPECT_TRUE(a < c);
  EXPECT_TRUE(c > a);
  EXPECT_TRUE(a != c);
  EXPECT_TRUE(a < 1.5);
  EXPECT_TRUE(1.5 > a);
  EXPECT_TRUE(0 < a);
  EXPECT_TRUE(a == 1);
  EXPECT_FALSE(a >= 2);
  const One nan(std::nan(""));
  EXPECT_FALSE(nan < a || nan > a || nan == a);
  EXPECT_TRUE(along_twice(3.0) > 2.0);
  EXPECT_TRUE(Second(1.0, 5.0, 5.0) < Second(1.5, 0.0, 0.0));
  EXPECT_EQ(value_of(along_twice(3.0)), 3.0);
  EXPECT_EQ(min(a, c).value, 1.0);
  EXPECT_EQ(max(a, c).value, 2.0);
}

TEST(ArithmeticTest, WorksWhenBothSidesAreTheSameObject) {
  One x = along(3.0);
  x *= x;
  EXPECT_EQ(x.d.get(0), 6.0);
  x /= x;
  EXPECT_EQ(x.value, 1.0);
  EXPECT_EQ(x.d.get(0), 0.0);
  Second y(3.0, 1.0, 0.0);
  y *= y;
  EXPECT_EQ(y.first, 6.0);
  EXPECT_EQ(y.second, 2.0);
  y /= y;
  EXPECT_EQ(y.second, 0.0);
  y -= y;
  EXPECT_EQ(y.value, 0.0);
}

// A formula may say std::sin(x), for every type of number.
template <class X>
X all_of_std(const X& x) {
  return std::sin(x) + std::cos(x) + std::tan(x) + std::asin(x) + std::acos(x) + std::atan(x) + std::sinh(x) +
         std::cosh(x) + std::tanh(x) + std::exp(x) + std::log(x) + std::log10(x) + std::sqrt(x) + std::pow(x, 3) +
         std::pow(2.0, x) + std::pow(x, x) + std::abs(-x) + std::fabs(x) + std::hypot(x, 2.0 * x) + std::atan2(x, 2.0);
}
template <class X>
X all_of_ours(const X& x) {
  using std::log, std::log10, std::sqrt, std::pow, std::abs, std::fabs, std::hypot, std::atan2;
  using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::sinh, std::cosh, std::tanh, std::exp;
  return sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + sinh(x) + cosh(x) + tanh(x) + exp(x) + log(x) +
         log10(x) + sqrt(x) + pow(x, 3) + pow(2.0, x) + pow(x, x) + abs(-x) + fabs(x) + hypot(x, 2.0 * x) +
         atan2(x, 2.0);
}

TEST(Functions, AreFoundInNamespaceStd) {
  const double x = 0.3, h = 1e-4;
  const double slope =
      (8.0 * (all_of_std(x + h) - all_of_std(x - h)) - all_of_std(x + 2 * h) + all_of_std(x - 2 * h)) / (12.0 * h);
  EXPECT_NEAR(all_of_std(along(x)).d.get(0), slope, 1e-9 * std::abs(slope));
  EXPECT_EQ(all_of_std(along(x)).d.get(0), all_of_ours(along(x)).d.get(0));
  EXPECT_EQ(all_of_std(Second(x, 1.0, 0.0)).second, all_of_ours(Second(x, 1.0, 0.0)).second);
  EXPECT_EQ(all_of_std(along_twice(x)).d.get(0).d.get(0), all_of_ours(along_twice(x)).d.get(0).d.get(0));
}

}  // namespace
}  // namespace driftless::functions_test
