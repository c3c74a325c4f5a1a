// Elimination keeps the digits: what is computed from the unknowns that are left satisfies the equations as written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/linalg/lu.h"
#include "text_model.h"

namespace driftless::testing_models::structure_elimination_test {
namespace {

std::map<std::string, double> values_at(const CompiledModel& model, double end) { return run(model, end, 1e-6).values; }

// The solution of a tridiagonal system with constant bands and right side i + shift, by elimination with pivoting.
Vector tridiagonal(std::size_t n, double below, double diagonal, double above, double shift) {
  RealLu lu(n);
  Vector x(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      lu.matrix()(i, j) = j + 1 == i ? below : j == i ? diagonal : j == i + 1 ? above : 0.0;
    x[i] = static_cast<double>(i + 1) + shift;
  }
  EXPECT_TRUE(lu.factorise());
  lu.solve(x);
  return x;
}

std::string bands(double below, double diagonal, double above, const std::string& shift) {
  return fmt::format(R"(
  der(q) = 1;
  {1}*x[1] + ({2})*x[2] = 1 + {3};
  for i in 2:n-1 loop {0}*x[i-1] + {1}*x[i] + ({2})*x[i+1] = i + {3}; end for;
  {0}*x[n-1] + {1}*x[n] = n + {3};)",
                     below, diagonal, above, shift);
}

struct Bands {
  const char* name;
  std::size_t n;
  double below, diagonal, above;
  const char* declaration;
  const char* shift;
};

class LinearChain : public testing::TestWithParam<Bands> {};

TEST_P(LinearChain, IsSolvedAsAccuratelyAsItsConditionAllows) {
  const Bands& p = GetParam();
  const std::string declarations = fmt::format("parameter Integer n = {}; Real q(start = 0); {}", p.n, p.declaration);
  auto at = values_at(compiled(flat(declarations, bands(p.below, p.diagonal, p.above, p.shift))), 0.5);
  const Vector expected = tridiagonal(p.n, p.below, p.diagonal, p.above, std::string(p.shift) == "0" ? 0.0 : 0.5);
  for (std::size_t i = 0; i < p.n; ++i)
    EXPECT_NEAR(at[fmt::format("x[{}]", i + 1)], expected[i], 1e-10 * (1.0 + std::abs(expected[i]))) << i + 1;
}

INSTANTIATE_TEST_SUITE_P(Elimination, LinearChain,
                         testing::Values(Bands{"Constant", 40, -1, 4, -1, "Real x[n];", "0"},
                                         Bands{"StartStatedAtOneEnd", 40, -1, 4, -1,
                                               "Real x[n](start = cat(1, {1}, zeros(n - 1)));", "0"},
                                         Bands{"OfTime", 40, -1, 4, -1, "Real x[n];", "time"},
                                         Bands{"OfTimeAndLong", 100, -1, 4, -1, "Real x[n];", "time"},
                                         Bands{"SmallDiagonal", 41, -1, 1, 1, "Real x[n];", "0"},
                                         Bands{"SmallDiagonalAndLong", 101, -1, 1, 1, "Real x[n];", "time"},
                                         Bands{"LargeBelow", 40, -3, 4, -1, "Real x[n];", "0"},
                                         Bands{"LargeAbove", 40, -1, 4, -3, "Real x[n];", "time"},
                                         Bands{"SmallNumbers", 40, -1e-9, 4e-9, -1e-9, "Real x[n];", "0"}),
                         [](const auto& test) { return test.param.name; });

// A recursion that ends in a nonlinear equation: no loop of linear equations, and errors that grow by 3.7 from each
// unknown to the next.
TEST(LinearRecursion, IsNotFollowedFromOneEnd) {
  constexpr std::size_t n = 30;
  auto at = values_at(compiled(flat("parameter Integer n = 30; Real q(start = 0), x[n](each start = 1);", R"(
  der(q) = 1;
  x[2] = 4*x[1] - 1 - time;
  for i in 2:n-1 loop x[i+1] = 4*x[i] - x[i-1] - i - time; end for;
  4*x[n] - x[n-1] + 1e-9*x[n]^3 = n + time;)")),
                      0.5);
  const Vector expected = tridiagonal(n, -1, 4, -1, 0.5);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(at[fmt::format("x[{}]", i + 1)], expected[i], 1e-5) << i + 1;
}

// Broyden's tridiagonal function, shifted by time; its root near -1 by Newton's method on all unknowns.
Vector broyden(std::size_t n, double t) {
  Vector x(n, -1.0), r(n);
  for (int iteration = 0; iteration < 30; ++iteration) {
    RealLu lu(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double left = i > 0 ? x[i - 1] : 0.0, right = i + 1 < n ? x[i + 1] : 0.0;
      r[i] = (3.0 - 2.0 * x[i]) * x[i] - left - 2.0 * right + 1.0 - t;
      for (std::size_t j = 0; j < n; ++j)
        lu.matrix()(i, j) = j + 1 == i ? -1.0 : j == i ? 3.0 - 4.0 * x[i] : j == i + 1 ? -2.0 : 0.0;
    }
    EXPECT_TRUE(lu.factorise());
    lu.solve(r);
    for (std::size_t i = 0; i < n; ++i) x[i] -= r[i];
  }
  return x;
}

void expect_broyden(const std::string& equations, std::size_t n) {
  const CompiledModel model =
      compiled(flat(fmt::format("parameter Integer n = {}; Real x[n](each start = -1), q(start = 0);", n), equations));
  auto at = values_at(model, 0.5);
  const Vector expected = broyden(n, 0.5);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(at[fmt::format("x[{}]", i + 1)], expected[i], 1e-6) << i + 1;
}

TEST(NonlinearChain, StaysOnItsRoot) {
  EXPECT_NEAR(broyden(10, 0.5)[0], -0.3842, 1e-4);
  for (const std::size_t n : {5, 10, 30})
    expect_broyden(R"(
  der(q) = 1;
  (3 - 2*x[1])*x[1] - 2*x[2] + 1 = time;
  for i in 2:n-1 loop (3 - 2*x[i])*x[i] - x[i-1] - 2*x[i+1] + 1 = time; end for;
  (3 - 2*x[n])*x[n] - x[n-1] + 1 = time;)",
                   n);
}

// Solving an equation for a neighbour would put a polynomial into a polynomial.
TEST(NonlinearChain, IsLeftToTheSolver) {
  const CompiledModel model = compiled(flat("parameter Integer n = 6; Real x[n](each start = -1), q(start = 0);", R"(
  der(q) = 1;
  (3 - 2*x[1])*x[1] - 2*x[2] + 1 = time;
  for i in 2:n-1 loop (3 - 2*x[i])*x[i] - x[i-1] - 2*x[i+1] + 1 = time; end for;
  (3 - 2*x[n])*x[n] - x[n-1] + 1 = time;)"));
  EXPECT_EQ(model.eliminated(), 0U);
}

// As a recursion, every equation is written for the unknown that amplifies errors.
TEST(NonlinearChain, StaysOnItsRootIfWrittenAsARecursion) {
  expect_broyden(R"(
  der(q) = 1;
  x[2] = ((3 - 2*x[1])*x[1] + 1 - time)/2;
  for i in 2:n-1 loop x[i+1] = ((3 - 2*x[i])*x[i] - x[i-1] + 1 - time)/2; end for;
  (3 - 2*x[n])*x[n] - x[n-1] + 1 = time;)",
                 12);
}

// r stands with a small factor beside z: computed from z it would be off by seventy times as much, and from the guess
// z = 0 it would begin at another root of the cosine.
TEST(Elimination, DoesNotDivideBySmallFactors) {
  const CompiledModel model = compiled(flat("Real r(start = 2.092), y, z(start = 1);",
                                            "cos(r) = cos(1.5 + 0.592*cos(1.853*time)); 3.504*y + 0.508*z = 4 + time; "
                                            "3.306*z + 0.687*y = 4 + 0.047*(r - (1.5 + "
                                            "0.592*cos(1.853*time)));"));
  EXPECT_NEAR(run(model, 0.5, 1e-6).values["r"], 1.5 + 0.592 * std::cos(1.853 * 0.5), 1e-5);
}

// The cosine determines r, with many roots; the rows of the chain have other unknowns to determine.
TEST(Elimination, LeavesAnUnknownToTheRowThatDeterminesIt) {
  const CompiledModel model = compiled(flat("Real z3, z2(start = 1.605), z1, r(start = 1.3732263820464092), z4;",
                                            "-2.777*z2 + 0.52*z1 - 0.406*z3 = 1 - time; 0 = -4.693*z1 - 0.651*z2 - 2;"
                                            "-1000*(4.121*z4 - 0.589*z3) = -1000*(3 + time + 0.151*(r - 1.5));"
                                            "cos(1.5 - 0.347*sin(1.24*time + 0.374)) = cos(r);"
                                            "-2.805*z3 + 0.451*z2 + 0.7*z4 = 0.3;"));
  EXPECT_EQ(std::ranges::find(model.variables(), "r", &ModelVariable::name)->role, VariableRole::algebraic);
  EXPECT_NEAR(run(model, 0.5, 1e-6).values["r"], 1.5 - 0.347 * std::sin(1.24 * 0.5 + 0.374), 1e-5);
}

// Also where r has the largest factor in the row of another unknown: computed from z, it would begin at the root that
// lies near z = 0.
TEST(Elimination, LeavesAnUnknownToTheRowThatDeterminesItWhateverItsFactor) {
  const CompiledModel model =
      compiled(flat("Real r(start = 2), z;", "cos(r) = cos(1.5 + 0.5*cos(time)); 4*z + 10*r = 7 + time;"));
  EXPECT_EQ(std::ranges::find(model.variables(), "r", &ModelVariable::name)->role, VariableRole::algebraic);
  auto at = run(model, 0.5, 1e-6).values;
  const double r = 1.5 + 0.5 * std::cos(0.5);
  EXPECT_NEAR(at["r"], r, 1e-5);
  EXPECT_NEAR(at["z"], (7.5 - 10.0 * r) / 4.0, 1e-4);
}

// y stands alone on one side and is on the other one as well.
TEST(Elimination, DoesNotDefineAnUnknownByItself) {
  auto at = run(compiled(flat("Real x(start = 1), y;", "der(x) = y; y = sin(x) + 0.1*y;")), 1.0).values;
  EXPECT_NEAR(at["y"], std::sin(at["x"]) / 0.9, 1e-12);
  at = run(compiled(flat("Real a, b, x(start = 1);", "der(x) = -x; b = 0.657*exp(-x)*1000*a; 1000*a + b = 1;")), 1.0)
           .values;
  const double e = 0.657 * std::exp(-std::exp(-1.0));
  EXPECT_NEAR(at["b"], e / (1.0 + e), 1e-9);
  EXPECT_NEAR(at["a"], 0.001 / (1.0 + e), 1e-12);
}

// Units do not matter: v = R i with a large R is no growth of errors.
TEST(Elimination, TakesOutWhatIsOnlyInOtherUnits) {
  const CompiledModel model =
      compiled(flat("parameter Real R = 1e6; Real c(start = 1), i, v, w, p;",
                    "der(c) = -i/1e-6; v = R*i; w = 1000*v; w = 1000*c + 0.001*i^3 + 0*time; p = v*i;"));
  EXPECT_GE(model.eliminated(), 3U);
  EXPECT_NEAR(run(model, 1.0).values["c"], std::exp(-1.0), 1e-8);
}

// Other units and scales with an offset are no reason to give up a state.
TEST(Elimination, KeepsStatesThatHaveAStart) {
  const CompiledModel model =
      compiled(flat("Real x(start = 2, fixed = true), deg, kelvin, celsius;",
                    "der(x) = -x; deg = 57.29577951308232*x; kelvin = celsius + 273.15; celsius = 3*x;"));
  EXPECT_EQ(model.eliminated(), 3U);
  auto at = run(model, 1.0).values;
  EXPECT_NEAR(at["deg"], 2 * 57.29577951308232 * std::exp(-1.0), 1e-7);
  EXPECT_NEAR(at["kelvin"], 6 * std::exp(-1.0) + 273.15, 1e-7);
}

// A ring of equations with a strong diagonal, linked weakly to a multiplier and, far from there, to an acceleration. To
// compute these from the ring would leave the mechanism to determine an unknown of it that hardly acts so far away.
TEST(WeakLinks, DoNotTakeALinearLoopApart) {
  constexpr std::size_t n = 26;
  const RunResult r = run(compiled(flat(R"(
  constant Integer n = 26;
  Real x(start = 1, fixed = true), y, v(start = 0, fixed = true), w, a, b, l;
  Real z[n];)",
                                        R"(
  der(x) = v;
  der(y) = w;
  der(v) = a;
  der(w) = b;
  1.762*a + 0.247*b = -2*x*l;
  0.247*a + 1.221*b = -2*y*l - 1;
  x^2 + y^2 = 1;
  for i in 1:n loop
    4*z[i] + 0.6*z[if i > 1 then i - 1 else n] + 0.6*z[if i < n then i + 1 else 1]
      = i + (if i == 3 then 0.2*l else 0) + (if i == 16 then 0.15*b else 0);
  end for;)")),
                          1.0, 1e-6);
  EXPECT_EQ(r.state.size(), 5u);  // (x, y), (v, w) and l
  RealLu ring(n);
  Vector z(n);
  for (std::size_t i = 0; i < n; ++i) {
    ring.matrix()(i, i) = 4.0;
    ring.matrix()(i, (i + 1) % n) = ring.matrix()((i + 1) % n, i) = 0.6;
    z[i] = static_cast<double>(i + 1);
  }
  z[2] += 0.2 * r.values.at("l");
  z[15] += 0.15 * r.values.at("b");
  ASSERT_TRUE(ring.factorise());
  ring.solve(z);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(r.values.at(fmt::format("z[{}]", i + 1)), z[i], 1e-12) << i + 1;
}

}  // namespace
}  // namespace driftless::testing_models::structure_elimination_test
