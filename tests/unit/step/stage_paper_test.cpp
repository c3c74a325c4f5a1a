// The stage equations with w = v' among the unknowns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/driftless.h"
#include "driftless/equations/manifold.h"
#include "driftless/step/stage_equations.h"
#include "testset/problem.h"

namespace driftless::stage_paper_test {
namespace {

struct PaperCase {
  testset::Problem problem;
  const Mechanical& form;
  std::size_t n, r, m;
  Vector x, slope;

  explicit PaperCase(const char* name)
      : problem(testset::problem(name)),
        form(std::get<Mechanical>(problem.equations)),
        n(form.q_size()),
        r(form.s_size()),
        m(form.lambda_size()),
        x(problem.start) {
    Vector derivative(x.size());
    make_manifold(problem.equations)->derivative(problem.begin, x, derivative);
    x.insert(x.end(), derivative.begin() + static_cast<std::ptrdiff_t>(n),
             derivative.begin() + static_cast<std::ptrdiff_t>(2 * n));
    slope = derivative;
    slope.resize(x.size(), 0.0);
  }
};

// c B - J written out in full: only the blocks that the approximate Jacobian keeps.
template <class S>
std::vector<std::vector<S>> full_matrix(const PaperCase& p, S c) {
  const std::size_t n = p.n, s = 2 * n, l = s + p.r, w = l + p.m;
  std::vector<std::vector<S>> a(w + n, std::vector<S>(w + n, S(0.0)));
  const ConstSpan q = ConstSpan(p.x).subspan(0, n);
  Matrix g(p.m, n + 1), mass = Matrix::identity(n);
  p.form.functions().constraint_jacobian(q, p.problem.begin, g);
  if (p.form.functions().has_mass()) p.form.functions().mass(q, p.problem.begin, mass);
  for (std::size_t i = 0; i < n; ++i) {
    a[i][i] = a[n + i][n + i] = c;
    a[i][n + i] = a[n + i][w + i] = -1.0;
    for (std::size_t j = 0; j < n; ++j) a[w + i][w + j] = mass(i, j);
    for (std::size_t k = 0; k < p.m; ++k) {
      a[l + k][i] = -g(k, i);
      a[w + i][l + k] = g(k, i);
    }
  }
  for (std::size_t i = 0; i < p.r; ++i) a[s + i][s + i] = c;
  return a;
}

template <class S>
void expect_solves(const std::vector<std::vector<S>>& a, const std::vector<S>& d, const std::vector<S>& rho) {
  for (std::size_t i = 0; i < d.size(); ++i) {
    S sum = 0.0;
    double size = 1.0;
    for (std::size_t j = 0; j < d.size(); ++j) {
      sum += a[i][j] * d[j];
      size += std::abs(a[i][j] * d[j]);
    }
    EXPECT_NEAR(std::abs(sum - rho[i]), 0.0, 1e-12 * size) << i;
  }
}

class PaperStageMatrix : public testing::TestWithParam<const char*> {};

TEST_P(PaperStageMatrix, RealAndComplexSystemsAreSolved) {
  const PaperCase p(GetParam());
  const auto stage = make_paper_stage(p.form);
  ASSERT_EQ(stage->size(), p.x.size());
  stage->linearise(p.problem.begin, p.x, p.slope);
  stage->reserve(1, 1);
  const Complex z(37.0, 11.0);
  ASSERT_TRUE(stage->factorise_real(0, z.real()));
  ASSERT_TRUE(stage->factorise_complex(0, z));
  Vector rho(stage->size()), im(stage->size());
  for (std::size_t i = 0; i < rho.size(); ++i) {
    rho[i] = std::sin(1.0 + static_cast<double>(i));
    im[i] = std::cos(2.0 * static_cast<double>(i));
  }
  Vector d = rho, re = rho, imaginary = im;
  stage->solve_real(0, d);
  stage->solve_complex(0, re, imaginary);
  std::vector<Complex> complex_d, complex_rho;
  for (std::size_t i = 0; i < rho.size(); ++i) {
    complex_d.emplace_back(re[i], imaginary[i]);
    complex_rho.emplace_back(rho[i], im[i]);
  }
  expect_solves(full_matrix(p, z.real()), d, rho);
  expect_solves(full_matrix(p, z), complex_d, complex_rho);
}

// At a consistent state with its accelerations nothing is left over.
TEST_P(PaperStageMatrix, ConsistentStatesHaveNoResidual) {
  const PaperCase p(GetParam());
  const auto stage = make_paper_stage(p.form);
  Vector r(stage->size());
  stage->residual(p.problem.begin, p.x, p.slope, r);
  const double size = std::max(1.0, *std::max_element(p.x.begin(), p.x.end()));
  for (double value : r) EXPECT_NEAR(value, 0.0, 1e-9 * size);
}

// 0 = M w - F + G^T lambda is the equation of motion of the form without w.
TEST_P(PaperStageMatrix, ResidualAgreesWithTheFormWithoutAccelerations) {
  PaperCase p(GetParam());
  for (std::size_t i = 0; i < p.x.size(); ++i) p.x[i] += 0.01 * std::sin(static_cast<double>(i));
  const std::size_t w = p.problem.start.size();
  for (std::size_t i = 0; i < p.n; ++i) p.slope[p.n + i] = p.x[w + i];
  const auto stage = make_paper_stage(p.form), plain = make_stage_equations(p.problem.equations);
  Vector r(stage->size()), expected(plain->size());
  const ConstSpan x = p.x, slope = p.slope;
  stage->residual(p.problem.begin, x, slope, r);
  plain->residual(p.problem.begin, x.subspan(0, w), slope.subspan(0, w), expected);
  for (std::size_t i = 0; i < w; ++i) {
    if (i >= p.n && i < 2 * p.n) {
      EXPECT_EQ(r[i], 0.0) << i;  // v' = w by choice
      EXPECT_NEAR(r[w + i - p.n], expected[i], 1e-12 * std::fmax(1.0, std::abs(expected[i]))) << i;
    } else {
      EXPECT_EQ(r[i], expected[i]) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, PaperStageMatrix,
                         testing::Values("pendulum_schropp", "mms_index3_nonautonomous", "andrews_squeezer",
                                         "car_axis"));

TEST(PaperStage, ErrorsAreWeightedByTheIndex) {
  const PaperCase p("andrews_squeezer");
  const auto stage = make_paper_stage(p.form);
  const std::vector<int>& power = stage->power();
  ASSERT_EQ(power.size(), 27u);
  EXPECT_EQ(std::count(power.begin(), power.end(), 0), 7);
  EXPECT_EQ(std::count(power.begin(), power.end(), 1), 7);
  EXPECT_EQ(std::count(power.begin(), power.end(), 2), 13);
}

}  // namespace
}  // namespace driftless::stage_paper_test
