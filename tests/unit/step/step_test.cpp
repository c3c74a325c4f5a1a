#include <gtest/gtest.h>

#include <complex>

#include "driftless/driftless.h"
#include "driftless/equations/manifold.h"
#include "driftless/step/stage_equations.h"
#include "driftless/step/stepper.h"
#include "tests/unit/count_allocations.h"
#include "testset/problem.h"

namespace driftless::step_test {
namespace {

// (c B - J) d = rho, checked without knowing how it is solved: B and J are recovered from residuals by differences.
Matrix newton_matrix(const StageEquations& stage, double t, const Vector& x, const Vector& slope, double c) {
  const std::size_t n = x.size();
  Matrix m(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    const double dx = 1e-6 * std::fmax(1.0, std::abs(x[j]));
    Vector plus = x, minus = x, plus_slope = slope, minus_slope = slope, a(n), b(n);
    plus[j] += dx;
    minus[j] -= dx;
    plus_slope[j] += c * dx;
    minus_slope[j] -= c * dx;
    stage.residual(t, plus, plus_slope, a);
    stage.residual(t, minus, minus_slope, b);
    for (std::size_t i = 0; i < n; ++i) m(i, j) = (a[i] - b[i]) / (2.0 * dx);
  }
  return m;
}

class StageMatrix : public testing::TestWithParam<const char*> {};

TEST_P(StageMatrix, RealAndComplexSystemsAreSolved) {
  const auto problem = testset::problem(GetParam());
  const auto stage = make_stage_equations(problem.equations);
  const auto manifold = make_manifold(problem.equations);
  const std::size_t n = stage->size();
  Vector slope(n);
  ASSERT_EQ(manifold->derivative(problem.begin, problem.start, slope), ManifoldStatus::ok);
  stage->linearise(problem.begin, problem.start, slope);
  stage->reserve(1, 1);
  const double c = 37.0;
  const Matrix a = newton_matrix(*stage, problem.begin, problem.start, slope, c);
  const Matrix b0 = newton_matrix(*stage, problem.begin, problem.start, slope, 0.0);
  Vector rho(n), im(n);
  for (std::size_t i = 0; i < n; ++i) {
    rho[i] = std::sin(1.0 + static_cast<double>(i));
    im[i] = std::cos(2.0 * static_cast<double>(i));
  }
  ASSERT_TRUE(stage->factorise_real(0, c));
  Vector d = rho;
  stage->solve_real(0, d);
  const Complex z(c, 11.0);
  ASSERT_TRUE(stage->factorise_complex(0, z));
  Vector re = rho, imaginary = im;
  stage->solve_complex(0, re, imaginary);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0, size = 1.0;
    Complex complex_sum = 0.0;
    double complex_size = 1.0;
    for (std::size_t j = 0; j < n; ++j) {
      sum += a(i, j) * d[j];
      size += std::abs(a(i, j) * d[j]);
      // c B - J = b0 + (a - b0) z / c
      const Complex entry = b0(i, j) + (a(i, j) - b0(i, j)) * z / c;
      complex_sum += entry * Complex(re[j], imaginary[j]);
      complex_size += std::abs(entry * Complex(re[j], imaginary[j]));
    }
    EXPECT_NEAR(sum, rho[i], 1e-6 * size) << i;
    EXPECT_NEAR(std::abs(complex_sum - Complex(rho[i], im[i])), 0.0, 1e-6 * complex_size) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, StageMatrix,
                         testing::Values("pendulum_schropp", "mms_index3_nonautonomous", "hlr_index3", "hlr_index2",
                                         "mms_index2_gamma", "lognorm_nonlinear", "transistor_amplifier", "car_axis"));

// Conditioning: steps of size 1e-7 and 1e-1 solve the same index-3 system to the same relative accuracy.
TEST(StageEquations, SmallStepsDoNotSpoilTheConditioning) {
  const auto problem = testset::problem("mms_index3_nonautonomous");
  const auto stage = make_stage_equations(problem.equations);
  const auto manifold = make_manifold(problem.equations);
  Vector slope(stage->size());
  manifold->derivative(0.0, problem.start, slope);
  stage->linearise(0.0, problem.start, slope);
  stage->reserve(1, 0);
  for (double h : {1e-1, 1e-4, 1e-7}) {
    ASSERT_TRUE(stage->factorise_real(0, 1.0 / h));
    // A pure constraint error of 1 must be removed by a position correction of order 1, a multiplier of order 1/h^2.
    Vector rho(stage->size(), 0.0);
    rho.back() = 1.0;
    stage->solve_real(0, rho);
    Matrix g(1, 4);
    const auto& form = std::get<Mechanical>(problem.equations);
    form.functions().constraint_jacobian(ConstSpan(problem.start).subspan(0, 3), 0.0, g);
    double corrected = 0.0;
    for (std::size_t j = 0; j < 3; ++j) corrected += g(0, j) * rho[j];
    EXPECT_NEAR(corrected, -1.0, 1e-12) << h;
  }
}

TEST(Stepper, NoAllocationInsideAnAttempt) {
  struct Case {
    const char* problem;
    Tableau tableau;
  };
  for (const auto& [name, tableau] :
       {Case{"pendulum_schropp", radau_iia(3)}, Case{"andrews_squeezer", radau_iia(3)},
        Case{"andrews_squeezer", hem5()}, Case{"hlr_index3", radau_iia(2)}, Case{"mms_index2_gamma", hem4()},
        Case{"mms_index2_gamma", radau_ia(3)}, Case{"transistor_amplifier", radau_iia(3)},
        Case{"lognorm_nonlinear", sdirk4()}}) {
    const auto problem = testset::problem(name);
    const auto stepper =
        make_stepper(problem.equations, {.tableau = tableau, .multiplier = MultiplierRule::hidden_constraint});
    const auto workspace = stepper->make_workspace();
    Attempt attempt = stepper->make_attempt();
    const double h = 1e-6;
    ASSERT_FALSE(stepper->attempt(problem.begin, problem.start, h, *workspace, attempt)) << name;
    const std::size_t before = allocation_count;
    const auto failure = stepper->attempt(problem.begin, problem.start, h, *workspace, attempt);
    const std::size_t after = allocation_count;
    EXPECT_FALSE(failure);
    EXPECT_EQ(after, before) << name << ", " << tableau.name;
  }
}

// A step attempt is a value: repeated, or with fresh memory, it gives the same bits and leaves its input alone.
TEST(Stepper, AttemptsArePure) {
  const auto problem = testset::problem("andrews_squeezer");
  const auto stepper = make_stepper(problem.equations, {});
  const auto workspace = stepper->make_workspace(), fresh = stepper->make_workspace();
  Attempt first = stepper->make_attempt(), again = first, elsewhere = first, other = first;
  const Vector start = problem.start;
  ASSERT_FALSE(stepper->attempt(0.0, start, 1e-5, *workspace, first));
  ASSERT_FALSE(stepper->attempt(0.0, start, 2e-5, *workspace, other));
  ASSERT_FALSE(stepper->attempt(0.0, start, 1e-5, *workspace, again));
  ASSERT_FALSE(stepper->attempt(0.0, start, 1e-5, *fresh, elsewhere));
  EXPECT_EQ(start, problem.start);
  EXPECT_EQ(first.state, again.state);
  EXPECT_EQ(first.state, elsewhere.state);
  EXPECT_NE(first.state, other.state);
}

// Implicit methods of order p integrate polynomials of degree p exactly; a degree more shows an error.
struct PolynomialForce {
  double degree;
  void force(auto, auto, auto t, auto f) const {
    using std::pow;
    f[0] = pow(t, degree - 2.0);
  }
  void constraint(auto, auto, auto) const {}
};

TEST(Stepper, PolynomialsUpToTheQuadratureOrderAreExact) {
  // x'' = t^(k-2), x(0) = x'(0) = 0: v = t^(k-1)/(k-1) is a quadrature of degree k - 2.
  auto velocity_error = [](const Tableau& tableau, double degree) {
    const Equations equations = mechanical(PolynomialForce{degree}, {.q = 1});
    const Solution solution =
        solve(equations, {0.0, 0.0}, {.span = {0.0, 1.0}, .steps = 1, .method = {.tableau = tableau}});
    return std::abs(solution.state(1)[1] - 1.0 / (degree - 1.0));
  };
  for (const Tableau& tableau : {radau_iia(2), radau_iia(3), lobatto_iiic(3), gauss(3), sdirk4()}) {
    const int p = properties_of(tableau).order;
    EXPECT_LT(velocity_error(tableau, p + 1.0), 1e-14) << tableau.name;
    EXPECT_GT(velocity_error(tableau, p + 2.0), 1e-6) << tableau.name;
  }
}

}  // namespace
}  // namespace driftless::step_test
