// m_D[A^-1] against the closed forms of Hairer and Wanner II, IV.14; algebraic stability of every tableau.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/stability/b_stability.h"
#include "driftless/analysis/stability/discretisation_bound.h"
#include "driftless/analysis/stability/error_growth.h"
#include "driftless/analysis/stability/semi_inner_product.h"
#include "driftless/core/failure.h"
#include "driftless/linalg/dense.h"
#include "driftless/tableau/eigenbasis.h"
#include "driftless/tableau/families.h"
#include "driftless/tableau/properties.h"

namespace driftless::bound_stages_test {
namespace {

double known_gauss(const Tableau& t) {
  double smallest = 1e300;
  for (const double c : t.c) smallest = std::min(smallest, 1.0 / (2.0 * c * (1.0 - c)));
  return smallest;
}

TEST(BoundStageMonotonicity, EqualsTheClosedFormsOfTheFamilies) {
  for (int s = 1; s <= 6; ++s) {
    SCOPED_TRACE(s);
    const Tableau g = gauss(s), one = radau_ia(s), two = radau_iia(s);
    EXPECT_NEAR(stage_monotonicity(g).value, known_gauss(g), 1e-10);
    EXPECT_NEAR(stage_monotonicity(one).value, s == 1 ? 1.0 : 1.0 / (2.0 * (1.0 - one.c[1])), 1e-10);
    EXPECT_NEAR(stage_monotonicity(two).value, s == 1 ? 1.0 : 1.0 / (2.0 * two.c[s - 2]), 1e-10);
    for (const Tableau& t : {g, one, two}) {
      const StageMonotonicity m = stage_monotonicity(t);
      EXPECT_TRUE(m.attained) << t.name;
      EXPECT_FALSE(m.formula.empty()) << t.name;
    }
    if (s >= 2) {
      EXPECT_NEAR(stage_monotonicity(lobatto_iiic(s)).value, s == 2 ? 1.0 : 0.0, 1e-10);
    }
  }
  EXPECT_EQ(stage_monotonicity(implicit_euler()).value, 1.0);
}

TEST(BoundStageMonotonicity, IsOptimisedWhereNoFormulaIsKnown) {
  // Two stages: the best ratio of D balances the off-diagonal entries; checked against a fine search.
  Matrix a(2, 2);
  a(0, 0) = 0.7, a(0, 1) = -0.3, a(1, 0) = 0.4, a(1, 1) = 0.5;
  const Tableau t = from_numbers("mine", a, {0.45, 0.55});
  const StageMonotonicity m = stage_monotonicity(t);
  double best = -1e300;
  for (int k = 1; k < 20000; ++k) {
    const double d = k / 20000.0;
    best = std::max(best, stage_monotonicity_with(inverse_of(a), Vector{d, 1.0 - d}));
  }
  EXPECT_NEAR(m.value, best, 1e-6);
  EXPECT_GE(m.value, best - 1e-12);
  // Three stages without a formula: no random D is better.
  Matrix b(3, 3);
  const double entries[3][3] = {{0.4, -0.1, 0.05}, {0.3, 0.35, -0.2}, {0.1, 0.5, 0.3}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) b(i, j) = entries[i][j];
  const Tableau three = from_numbers("mine3", b, {0.3, 0.4, 0.3});
  const StageMonotonicity best3 = stage_monotonicity(three);
  for (int i = 1; i < 60; ++i)
    for (int j = 1; i + j < 60; ++j)
      EXPECT_LE(stage_monotonicity_with(inverse_of(b), Vector{i / 60.0, j / 60.0, 1.0 - (i + j) / 60.0}),
                best3.value + 1e-9);
  EXPECT_LE(best3.value, best3.supremum);
}

// The family's D is recovered from the numbers alone, with weights and nodes that hide it.
TEST(BoundStageMonotonicity, TheSearchFindsTheBestDOfAFamilyToo) {
  for (const Tableau& family : {radau_iia(2), radau_iia(3), gauss(2), gauss(3)}) {
    Tableau hidden = family;
    std::reverse(hidden.c.begin(), hidden.c.end());
    const double value = stage_monotonicity(hidden).value, known = stage_monotonicity(family).value;
    EXPECT_NEAR(value, known, 2e-4) << family.name;
    EXPECT_LE(value, known + 1e-12);
  }
}

TEST(BoundStageMonotonicity, OfDiagonallyImplicitMethodsApproachesTheInverseOfTheDiagonal) {
  for (const Tableau& t : {sdirk2(), sdirk3(), sdirk4()}) {
    const StageMonotonicity m = stage_monotonicity(t);
    EXPECT_NEAR(m.supremum, 1.0 / t.a(0, 0), 1e-10) << t.name;
    EXPECT_LE(m.value, m.supremum);
    EXPECT_GE(m.value, 0.9 * m.supremum) << t.name;
    EXPECT_NE(m.formula.find("lower triangular"), std::string::npos);
  }
  EXPECT_THROW(stage_monotonicity(dopri5()), Misuse);
}

TEST(BoundStageMonotonicity, InOtherNormsCountsSizesOnly) {
  EXPECT_EQ(stage_monotonicity_in_any_norm(implicit_euler()).value, 1.0);
  // (1.5 -0.5; -4.5 2.5) has the smallest eigenvalue 2 - sqrt(2.5).
  EXPECT_NEAR(stage_monotonicity_in_any_norm(radau_iia(2)).value, 2.0 - std::sqrt(2.5), 1e-9);
  EXPECT_LT(stage_monotonicity_in_any_norm(radau_iia(3)).value, stage_monotonicity(radau_iia(3)).value);
}

// Left and right side of (5.10) for two stages in the plane, in the maximum norm, D = B C^-1.
TEST(BoundStageMonotonicity, TheInequalityOfThePaperNeedsAnInnerProduct) {
  const Tableau t = radau_iia(2);
  const Matrix omega = inverse_of(t.a);
  const Vector d = {9.0 / 4.0, 1.0 / 4.0}, stages[] = {{2.0, 1.0}, {0.0, 2.0}};
  const auto sides = [&](const Norm& norm, double m) {
    double left = 0.0, right = 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
      Vector sum(2);
      for (std::size_t j = 0; j < 2; ++j)
        for (std::size_t k = 0; k < 2; ++k) sum[k] += omega(i, j) * stages[j][k];
      left += d[i] * semi_inner_product(norm, stages[i], sum);
      right += m * d[i] * norm(stages[i]) * norm(stages[i]);
    }
    return std::pair{left, right};
  };
  const double m = stage_monotonicity_with(omega, d);
  EXPECT_NEAR(m, 1.5, 1e-12);
  const auto [left, right] = sides(Norm::maximum(), m);
  EXPECT_NEAR(left, 13.75, 1e-12);
  EXPECT_NEAR(right, 15.0, 1e-12);  // not below the left side: what the paper says fails
  const auto euclidean = sides(Norm::two(), m);
  EXPECT_GE(euclidean.first, euclidean.second);
  // A bound in such a norm takes the smaller constant.
  EXPECT_NEAR(RungeKuttaBound(t, false).stages().value, 2.0 - std::sqrt(2.5), 1e-9);
  EXPECT_NEAR(RungeKuttaBound(t, true).stages().value, 1.5, 1e-9);
}

// The inequality before the display after (5.10), solved for both parts: the paper's display lacks the h before L_Q.
TEST(BoundStageErrors, SolveTheInequalityTheyComeFrom) {
  const SplitConstants c{-0.5, 1.2, 0.7, -2.0};
  const StageMonotonicity stages = stage_monotonicity(radau_iia(3));
  const double e = 0.3, p = 0.2, q = 0.4;
  for (const double h : {1.0, 0.1, 1e-3}) {
    // [m - h M_P, -h L_Q; -L_P, -M_Q] (x, y) = (start e + h p, q)
    const double a11 = stages.value - h * c.differential, a12 = -h * c.differential_from_algebraic;
    const double a21 = -c.algebraic_from_differential, a22 = -c.algebraic, b1 = stages.start_factor * e + h * p;
    const double determinant = a11 * a22 - a12 * a21;
    const StageErrorBound bound = stage_error_bound(majorant_of(c), stages, h, e, p, q);
    EXPECT_NEAR(bound.p, (b1 * a22 - a12 * q) / determinant, 1e-12) << h;
    EXPECT_NEAR(bound.q, (a11 * q - a21 * b1) / determinant, 1e-12) << h;
  }
}

TEST(BoundStageMonotonicity, LimitsTheStepSize) {
  const StageMonotonicity m = stage_monotonicity(radau_iia(2));
  EXPECT_NEAR(solvable_step_size(m, 3.0), 0.5, 1e-12);
  EXPECT_EQ(solvable_step_size(m, -1.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(solvable_step_size(m, 0.0), std::numeric_limits<double>::infinity());
  const SplitConstants constants{0.5, 1.0, 0.5, -2.0};  // S = 0.75
  EXPECT_NEAR(solvability(constants, stage_monotonicity(implicit_euler()), 1.0).step_limit, 4.0 / 3.0, 1e-12);
  EXPECT_TRUE(solvability(constants, stage_monotonicity(implicit_euler()), 1.0).unique);
  EXPECT_FALSE(solvability(constants, stage_monotonicity(implicit_euler()), 1.4).unique);
  EXPECT_FALSE(solvability({0.5, 1.0, 0.5, 0.0}, m, 1e-3).unique);
}

TEST(BoundBStability, EveryTableauHasACertificateThatCanBeChecked) {
  std::size_t stable = 0, unstable = 0;
  for (const std::string& name : tableau_names()) {
    SCOPED_TRACE(name);
    const Tableau t = tableau_by_name(name);
    const StabilityCertificate c = certify_algebraic_stability(t);
    EXPECT_EQ(c.algebraically_stable, properties_of(t).algebraically_stable);
    EXPECT_TRUE(check(c, t));
    if (c.algebraically_stable) {
      ++stable;
      EXPECT_LT(c.residual, 1e-13);
    } else {
      ++unstable;
      EXPECT_TRUE(c.negative_weight || c.witness_value < -1e-10);
    }
  }
  EXPECT_GE(stable, 40u);
  EXPECT_GE(unstable, 5u);
}

TEST(BoundBStability, CertificatesSayWhatTheFamiliesAre) {
  EXPECT_EQ(certify_algebraic_stability(gauss(3)).factor.rows(), 0u);      // M = 0
  EXPECT_EQ(certify_algebraic_stability(radau_iia(3)).factor.rows(), 1u);  // rank one
  EXPECT_EQ(certify_algebraic_stability(lobatto_iiic(4)).factor.rows(), 1u);
  EXPECT_NE(certify_algebraic_stability(radau_iia(2)).verdict.find("is algebraically stable"), std::string::npos);
  EXPECT_NE(certify_algebraic_stability(dopri5()).verdict.find("negative"), std::string::npos);
}

TEST(BoundBStability, FalseCertificatesAreFound) {
  StabilityCertificate c = certify_algebraic_stability(radau_iia(3));
  c.factor(0, 0) *= 1.001;
  EXPECT_FALSE(check(c, radau_iia(3)));
  EXPECT_FALSE(check(certify_algebraic_stability(gauss(3)), radau_iia(3)));
  StabilityCertificate wrong = certify_algebraic_stability(dopri5());
  EXPECT_FALSE(check(wrong, radau_iia(3)));
}

TEST(BoundEuler, RecursionAndClosedFormAgree) {
  for (const double rate : {-2.0, 0.0, 1.5}) {
    const Majorant m{rate, 0.5, 0.25, 0.5};
    const double h = 0.1;
    const std::vector<EulerStep> steps(20, {.h = h, .p_residual = 0.1, .q_residual = 0.4, .p_difference = 0.2});
    const auto bounds = euler_error_bounds(m, steps);
    for (std::size_t n = 1; n <= 20; ++n) {
      const double closed = euler_error_bound(m, h, n, 0.3, 0.4);
      EXPECT_NEAR(bounds[n - 1].p, closed, 1e-13 * (1.0 + closed));
      EXPECT_NEAR(bounds[n - 1].q, 0.25 * closed + 0.2, 1e-12);
      EXPECT_NEAR(bounds[n - 1].p_from_local, 2.0 * bounds[n - 1].p_from_p_residual, 1e-13);
      EXPECT_NEAR(bounds[n - 1].p_from_q_residual, bounds[n - 1].p_from_local, 1e-13);
      if (rate < 0.0) {
        EXPECT_LE(closed, euler_error_bound_for_ever(m, 0.3, 0.4));
      }
    }
  }
  EXPECT_EQ(euler_error_bound({.rate = 11.0}, 0.1, 3, 1.0, 0.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(euler_error_bounds({.rate = 11.0}, std::vector<EulerStep>{{.h = 0.1, .p_difference = 1.0}})[0].p,
            std::numeric_limits<double>::infinity());
}

TEST(BoundRungeKutta, OneStageIsImplicitEuler) {
  const RungeKuttaBound bound(implicit_euler(), true);
  const Majorant m{-2.0, 0.5, 0.25, 0.5};
  const std::vector<EulerStep> euler(10, {.h = 0.1, .p_residual = 0.1, .q_residual = 0.4, .p_difference = 0.2});
  std::vector<RungeKuttaStep> same;
  for (const auto& step : euler)
    same.push_back({.h = step.h,
                    .p_residual_d = step.p_residual,
                    .q_residual_d = step.q_residual,
                    .q_residual = step.q_residual,
                    .p_local = bound.local_error(m.rate, step.h, step.h * step.p_difference, 0.0)});
  const auto a = euler_error_bounds(m, euler), b = bound.bounds(m, same);
  for (std::size_t n = 0; n < 10; ++n) {
    EXPECT_NEAR(a[n].p, b[n].p, 1e-6);
    EXPECT_NEAR(a[n].q, b[n].q, 1e-6);
  }
}

TEST(BoundErrorGrowth, HasTheKnownValues) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double x : {-3.0, -0.5, 0.0, 0.2, 0.7}) {  // 1 / (1 - x) for implicit Euler
    EXPECT_NEAR(error_growth(implicit_euler(), stage_monotonicity(implicit_euler()), x).factor, 1.0 / (1.0 - x), 1e-6);
  }
  EXPECT_EQ(error_growth(implicit_euler(), stage_monotonicity(implicit_euler()), 1.0).factor, inf);
  // (1 + x/2) / (1 - x/2) for the implicit midpoint rule and x >= 0, 1 below.
  EXPECT_NEAR(error_growth(gauss(1), stage_monotonicity(gauss(1)), 0.4).factor, 1.5, 1e-6);
  EXPECT_NEAR(error_growth(gauss(1), stage_monotonicity(gauss(1)), -0.4).factor, 1.0, 1e-6);
  for (const Tableau& t : {radau_iia(2), radau_iia(3), radau_iia(5), radau_ia(3), gauss(3), lobatto_iiic(2)}) {
    SCOPED_TRACE(t.name);
    const StageMonotonicity m = stage_monotonicity(t);
    EXPECT_NEAR(error_growth(t, m, 0.0).factor, 1.0, 1e-5);
    double last = 0.0;
    for (const double x : {-2.0, -0.3, -0.01, 0.0, 0.01, 0.05, 0.2}) {
      const ErrorGrowth g = error_growth(t, m, x);
      EXPECT_TRUE(check(g, t, x)) << x;
      EXPECT_GE(g.factor, std::exp(x) * (1.0 - 1e-3) - (x < -0.1 ? 1.0 : 0.0));
      EXPECT_GE(g.factor, last - 1e-6);
      if (std::abs(x) <= 0.05) {
        EXPECT_LE(g.factor, std::max(1.0, std::exp(x)) * 1.01);
      }
      last = g.factor;
    }
    ErrorGrowth wrong = error_growth(t, m, 0.05);
    wrong.factor *= 0.9;
    EXPECT_FALSE(check(wrong, t, 0.05));
  }
}

// From three stages on m_D[A^-1] = 0 for Lobatto IIIC, and nothing is strictly feasible at x = 0: b proves 1 there.
TEST(BoundErrorGrowth, IsOneAtZeroForEveryAlgebraicallyStableMethod) {
  for (const Tableau& t : {lobatto_iiic(3), lobatto_iiic(4), lobatto_iiic(5), gauss(4), radau_iia(4)}) {
    SCOPED_TRACE(t.name);
    const StageMonotonicity m = stage_monotonicity(t);
    for (const double x : {0.0, -1e-300, -1e-12, -0.1, -10.0}) {
      const ErrorGrowth g = error_growth(t, m, x);
      EXPECT_LE(g.factor, 1.0) << x;
      EXPECT_TRUE(check(g, t, x)) << x;
      EXPECT_LE(RungeKuttaBound(t, true).growth(x, 1.0), 1.0) << x;
    }
    EXPECT_EQ(error_growth(t, m, 0.0).factor, 1.0);  // R(0) = 1: no less is true
  }
  EXPECT_EQ(error_growth(lobatto_iiic(3), stage_monotonicity(lobatto_iiic(3)), 0.1).factor,
            std::numeric_limits<double>::infinity());
}

// y' = rate y: the growth of a step never exceeds the factor.
TEST(BoundRungeKutta, GrowthFactorsBoundTheStabilityFunctionOfTheScalarProblem) {
  for (const Tableau& t : {implicit_euler(), radau_iia(2), radau_iia(3), gauss(2), radau_ia(2), sdirk2()}) {
    const RungeKuttaBound bound(t, true);
    for (const double z : {-100.0, -2.0, -0.3, 0.0, 0.05, 0.2}) {
      const Matrix omega = inverse_of(t.a);
      // R(z) = 1 + z b^T (I - z A)^-1 1
      Matrix system = Matrix::identity(t.stages());
      for (std::size_t i = 0; i < t.stages(); ++i)
        for (std::size_t j = 0; j < t.stages(); ++j) system(i, j) -= z * t.a(i, j);
      const Vector k = product(*inverse(system), Vector(t.stages(), 1.0));
      double r = 1.0;
      for (std::size_t i = 0; i < t.stages(); ++i) r += z * t.b[i] * k[i];
      EXPECT_LE(std::abs(r), bound.growth(z, 1.0) * (1.0 + 1e-12)) << t.name << " " << z;
      if (z <= 0.0 && certify_algebraic_stability(t).algebraically_stable) {
        EXPECT_LE(bound.growth(z, 1.0), 1.0 + 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace driftless::bound_stages_test
