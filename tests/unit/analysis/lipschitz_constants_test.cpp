// Constants of problems that are known in closed form (shared with testset/lognorm.cpp).
#include "driftless/analysis/stability/lipschitz_constants.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/stability/altered_form.h"
#include "driftless/analysis/stability/semi_inner_product.h"
#include "driftless/analysis/stability/stability_report.h"
#include "driftless/core/failure.h"
#include "driftless/equations/index1_enclosed.h"
#include "driftless/linalg/dense.h"
#include "tests/unit/analysis/lognorm_cases.h"
#include "testset/problem.h"

namespace driftless::lipschitz_constants_test {
namespace {

Index1 index1_problem(const std::string& name) { return std::get<Index1>(testset::problem(name).equations); }

Box cube(std::size_t n, double radius) { return box_around(Vector(n, 0.0), Vector(n, radius)); }

struct Rotated {
  Matrix a;
  void f(auto x, auto, auto out) const {
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) out[i] += a(i, j) * x[j];
  }
};

struct Backwards {
  void F(auto y, auto z, auto, auto out) const { out[0] = -y[0] + z[0]; }
  void G(auto y, auto z, auto, auto out) const { out[0] = 5.0 * z[0] + z[0] * z[0] * z[0] - y[0]; }
};

struct Ode {
  void f(auto x, auto t, auto out) const {
    using std::sin;
    out[0] = -2.0 * x[0] + sin(x[1]);
    out[1] = -3.0 * x[1] + 0.5 * t * x[0];
  }
};

struct Branching {
  void f(auto x, auto, auto out) const { out[0] = x[0] > 0.3 ? -2.0 * x[0] : -3.0 * x[0]; }
};

struct Known {
  const char* norm;
  double mp, lq, lp, mq, rate;
};

TEST(LipschitzLinear, EqualsTheClosedFormsTo1em10) {
  const Index1 form = index1_problem("lognorm_linear");
  for (const Known& known :
       {Known{"2", -3.0, 1.0, 0.5, -3.0, -17.0 / 6.0}, Known{"inf", -2.0, 1.4, 0.5, -3.0, -53.0 / 30.0},
        Known{"1", -2.0, 1.4, 0.5, -3.0, -53.0 / 30.0}}) {
    SCOPED_TRACE(known.norm);
    const StabilityReport r = analyse_stability(form, cube(4, 10.0), {.norm = Norm::by_name(known.norm)});
    const std::pair<const LipschitzConstant*, double> table[] = {{&r.differential, known.mp},
                                                                 {&r.differential_from_algebraic, known.lq},
                                                                 {&r.algebraic_from_differential, known.lp},
                                                                 {&r.algebraic, known.mq}};
    for (const auto& [constant, exact] : table) {
      EXPECT_TRUE(constant->certain) << symbol_of(constant->quantity);
      EXPECT_NEAR(constant->upper, exact, 1e-10) << symbol_of(constant->quantity);
      EXPECT_NEAR(constant->lower, exact, 1e-10) << symbol_of(constant->quantity);
      EXPECT_NEAR(constant->sampled, exact, 1e-10) << symbol_of(constant->quantity);
      EXPECT_GE(constant->upper, exact - 1e-15);  // the closed forms are exact decimals up to rounding
      EXPECT_LE(constant->lower, exact + 1e-15);
    }
    EXPECT_NEAR(r.schur, known.rate, 1e-10);
    EXPECT_EQ(r.index_1, Verdict::yes);
    EXPECT_EQ(r.exponentially_stable, Verdict::yes);
    EXPECT_EQ(r.euler_step_limit, std::numeric_limits<double>::infinity());
  }
}

// The reduced matrix is known: Theorem 3.5 is sharper than Theorem 3.4 in the 2-norm, and the same in the maximum norm.
TEST(LipschitzLinear, EliminationGivesTheLogarithmicNormOfTheReducedMatrix) {
  const Index1 form = index1_problem("lognorm_linear");
  const StabilityReport two = analyse_stability(form, cube(4, 1.0));
  EXPECT_NEAR(two.reduced.upper, -2.886666666666667, 1e-10);
  EXPECT_LT(two.sharp.rate, two.product.rate);
  const StabilityReport maximum = analyse_stability(form, cube(4, 1.0), {.norm = Norm::maximum()});
  EXPECT_NEAR(maximum.reduced.upper, -53.0 / 30.0, 1e-10);
}

// U x with the orthogonal U = I - ones/2: a projector that is not diagonal, with the same constants in the 2-norm.
TEST(LipschitzLinear, DoesNotDependOnOrthogonalCoordinates) {
  const Index1 original = index1_problem("lognorm_linear");
  Matrix j(4, 5);
  original.functions().f_jacobian(Vector(4, 0.0), 0.0, j);
  Matrix u = Matrix::identity(4), p(4, 4);
  for (std::size_t k = 0; k < 16; ++k) u.data()[k] -= 0.5;
  p(0, 0) = p(1, 1) = 1.0;
  const Matrix a = product(u, product(copy_of(j.view().block(0, 0, 4, 4)), u)), projector = product(u, product(p, u));
  const Index1 form = enclosed_index1(Rotated{a}, {.projector = projector});
  const StabilityReport r = analyse_stability(form, cube(4, 1.0));
  EXPECT_NEAR(r.differential.upper, -3.0, 1e-10);
  EXPECT_NEAR(r.differential_from_algebraic.upper, 1.0, 1e-10);
  EXPECT_NEAR(r.algebraic_from_differential.upper, 0.5, 1e-10);
  EXPECT_NEAR(r.algebraic.upper, -3.0, 1e-10);
  EXPECT_NEAR(r.schur, -17.0 / 6.0, 1e-10);
  EXPECT_NEAR(r.reduced.upper, -2.886666666666667, 1e-10);
  // In the other norms they do depend on coordinates, and the projector is not diagonal: still certain.
  for (const Norm& norm : {Norm::one(), Norm::maximum()}) {
    const StabilityReport other = analyse_stability(form, cube(4, 1.0), {.norm = norm});
    for (const auto* constant : other.constants()) {
      EXPECT_TRUE(constant->certain);
      EXPECT_LE(constant->sampled, constant->upper + 1e-10);
      EXPECT_LT(constant->width(), 1e-8);
    }
  }
}

TEST(LipschitzNonlinear, EnclosesTheClosedFormsAndShrinksWithRefinement) {
  const Index1 form = index1_problem("lognorm_nonlinear");
  const Box box = cube(4, 2.5);
  for (const Known& known : {Known{"2", -2.0, 1.0, 0.5, -2.0, -1.75}, Known{"inf", -2.0, 1.4, 0.7, -2.0, -1.51}}) {
    SCOPED_TRACE(known.norm);
    const std::pair<Quantity, double> table[] = {{Quantity::differential, known.mp},
                                                 {Quantity::differential_from_algebraic, known.lq},
                                                 {Quantity::algebraic_from_differential, known.lp},
                                                 {Quantity::algebraic, known.mq}};
    for (const auto& [quantity, exact] : table) {
      SCOPED_TRACE(symbol_of(quantity));
      double last = std::numeric_limits<double>::infinity();
      for (const std::size_t boxes : {1u, 30u, 200u, 600u}) {
        const LipschitzConstant c = lipschitz_constant(
            form, box, quantity, {.norm = Norm::by_name(known.norm), .refinement = {.relative = 1e-7, .boxes = boxes}});
        ASSERT_TRUE(c.certain);
        EXPECT_LE(c.lower, exact + 1e-14);
        EXPECT_GE(c.upper, exact - 1e-14);
        EXPECT_LE(c.sampled, c.upper + 1e-14);
        EXPECT_LE(c.width(), last);
        last = c.width();
      }
      EXPECT_LT(last, 0.02);
    }
  }
}

TEST(LipschitzNonlinear, SamplesApproachTheConstantFromBelow) {
  const Index1 form = index1_problem("lognorm_nonlinear");
  for (const auto& [quantity, exact] :
       {std::pair{Quantity::differential, -2.0}, std::pair{Quantity::differential_from_algebraic, 1.0},
        std::pair{Quantity::algebraic_from_differential, 0.5}, std::pair{Quantity::algebraic, -2.0}}) {
    const LipschitzConstant c = sampled_constant(form, cube(4, 2.5), quantity);
    EXPECT_LE(c.sampled, exact + 1e-12);
    EXPECT_GT(c.sampled, exact - 1e-3);
    EXPECT_FALSE(c.certain);
    EXPECT_EQ(c.upper, std::numeric_limits<double>::infinity());
  }
}

// The definition itself: no quotient of differences exceeds the constant.
TEST(LipschitzNonlinear, BoundsEveryDifferenceQuotient) {
  const Index1 form = index1_problem("lognorm_nonlinear");
  RandomMatrices random(31);
  for (const auto& [name, norm] : norms_of(4)) {
    SCOPED_TRACE(name);
    const Index1Split split(form.projector(), norm);
    const LipschitzOptions how{.norm = norm, .refinement = {.boxes = 60}, .sampling = {.points = 30}};
    const double mp = lipschitz_constant(form, cube(4, 1.5), Quantity::differential, how).upper;
    const double lq = lipschitz_constant(form, cube(4, 1.5), Quantity::differential_from_algebraic, how).upper;
    const double lp = lipschitz_constant(form, cube(4, 1.5), Quantity::algebraic_from_differential, how).upper;
    const double mq = lipschitz_constant(form, cube(4, 1.5), Quantity::algebraic, how).upper;
    for (int trial = 0; trial < 100; ++trial) {
      Vector u = scaled(random.vector(4), 1.5), v = scaled(random.vector(4), 1.5);
      for (const bool differential : {true, false}) {
        Vector w = u;
        for (std::size_t i = 0; i < 4; ++i)
          if ((i < 2) == differential) w[i] = v[i];
        Vector fu(4), fw(4);
        form.functions().f(u, 0.0, fu);
        form.functions().f(w, 0.0, fw);
        const Vector du = sum_of(w, u, -1.0), df = sum_of(fw, fu, -1.0);
        const Vector pdf = product(split.p(), df), qdf = product(split.q(), df);
        const double length = norm(du);
        const double eps = 1e-12 * length * length;
        EXPECT_LE(semi_inner_product(norm, du, differential ? pdf : qdf),
                  (differential ? mp : mq) * length * length + eps);
        EXPECT_LE(norm(differential ? qdf : pdf), (differential ? lp : lq) * length + eps);
      }
    }
  }
}

// All of the line: the constants of this problem are global.
TEST(LipschitzNonlinear, HoldsOnUnboundedBoxes) {
  const Index1 form = index1_problem("lognorm_nonlinear");
  Box everything{.x = std::vector<Interval>(4, Interval::whole())};
  const LipschitzConstant mp = lipschitz_constant(form, everything, Quantity::differential);
  EXPECT_TRUE(mp.certain);
  EXPECT_NEAR(mp.upper, -2.0, 1e-12);
  const LipschitzConstant lp =
      lipschitz_constant(form, everything, Quantity::algebraic_from_differential, {.refinement = {.boxes = 400}});
  EXPECT_TRUE(lp.certain);
  EXPECT_NEAR(lp.upper, 0.5, 0.02);
}

TEST(LipschitzHeat, SeesMonotonicityWhereTheProductOfConstantsIsUseless) {
  const Index1 form = index1_problem("heat_flux_mol_10");
  Box box;
  for (std::size_t i = 0; i < 10; ++i) box.x.emplace_back(0.0, 2.0);
  for (std::size_t i = 0; i < 9; ++i) box.x.emplace_back(-1.5, 1.5);
  const StabilityReport r =
      analyse_stability(form, box, {.refinement = {.relative = 1e-3, .boxes = 40}, .sampling = {.points = 60}});
  EXPECT_NEAR(r.differential.upper, 0.0, 1e-12);
  EXPECT_NEAR(r.algebraic.lower, -1.0, 1e-12);
  const double d = 2.0 * 10.0 * std::cos(M_PI / 20.0);  // |D| of the difference matrix: 2/dx sin(9 pi/20)
  EXPECT_NEAR(r.differential_from_algebraic.upper, d, 1e-9);
  EXPECT_NEAR(r.algebraic_from_differential.upper, d, 1e-9);
  EXPECT_GT(r.schur, 380.0);                   // mesh-dependent and useless
  EXPECT_NEAR(r.reduced.sampled, 0.0, 1e-10);  // -D (psi'')^-1 D^T is negative semidefinite
}

// Theorem 3.5, certain on a large box: the coupling is skew, so that the quadratic form sees nothing of it.
TEST(LipschitzHeat, ReducedConstantIsCertainlyNotPositive) {
  const Index1 form = index1_problem("heat_flux_mol_10");
  const Vector start = testset::problem("heat_flux_mol_10").start;
  const LipschitzConstant c = lipschitz_constant(form, box_around(start, Vector(start.size(), 0.5)), Quantity::reduced,
                                                 {.refinement = {.boxes = 1}, .sampling = {.points = 10}});
  EXPECT_TRUE(c.certain);
  EXPECT_NEAR(c.upper, 0.0, 1e-12);
  EXPECT_NEAR(c.sampled, 0.0, 1e-12);
}

// The index is 1 on both sides, but the sign of the constraint hides it: scaled by Newton's matrix it shows.
TEST(LipschitzScaling, MakesAConstraintMonotoneThatIsWrittenTheOtherWayRound) {
  const Index1 form = enclosed_partitioned(Backwards{}, {.y = 1, .z = 1});
  const Box box = cube(2, 0.5);
  const StabilityReport as_given = analyse_stability(form, box);
  EXPECT_EQ(as_given.index_1, Verdict::no);
  EXPECT_EQ(as_given.schur, std::numeric_limits<double>::infinity());
  const StabilityReport scaled = analyse_stability(form, box, {.scaling = ConstraintScaling::newton});
  EXPECT_EQ(scaled.index_1, Verdict::yes);
  EXPECT_NEAR(scaled.algebraic.upper, -1.0, 1e-6);  // 5 + 3 z^2 >= 5, divided by 5
  EXPECT_NEAR(scaled.algebraic_from_differential.upper, 0.2, 1e-9);
  EXPECT_NEAR(scaled.schur, -0.8, 1e-5);
  EXPECT_EQ(scaled.exponentially_stable, Verdict::yes);
  EXPECT_NE(as_given.sentences[0].find("fails"), std::string::npos);
  EXPECT_NE(scaled.sentences[0].find("The index is 1 on the whole box"), std::string::npos);
  EXPECT_NE(scaled.sentences[1].find("Exponentially stable"), std::string::npos);
}

TEST(LipschitzScaling, OfAnOdeHasNoAlgebraicPart) {
  const Index1 form = enclosed_index1(Ode{}, {.projector = Matrix::identity(2)});
  Box box = cube(2, 1.0);
  box.t = Interval(0.0, 1.0);
  const StabilityReport r = analyse_stability(form, box, {.norm = Norm::maximum()});
  EXPECT_NEAR(r.differential.upper, -1.0, 1e-9);  // -2 + |cos| and -3 + 0.5 t
  EXPECT_EQ(r.differential.upper, r.whole.upper);
  EXPECT_EQ(r.reduced.upper, r.differential.upper);
  EXPECT_EQ(r.algebraic.upper, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(r.schur, r.differential.upper);
  EXPECT_EQ(r.index_1, Verdict::yes);
}

TEST(LipschitzBranches, AreReportedAndNotGuessed) {
  const Index1 form = enclosed_index1(Branching{}, {.projector = Matrix::identity(1)});
  const LipschitzConstant c = lipschitz_constant(form, cube(1, 1.0), Quantity::whole, {.refinement = {.boxes = 50}});
  EXPECT_FALSE(c.certain);
  EXPECT_TRUE(c.undecided);
  EXPECT_EQ(c.sampled, -2.0);
  const LipschitzConstant right =
      lipschitz_constant(form, {.x = {Interval(0.5, 1.0)}}, Quantity::whole, {.refinement = {.boxes = 50}});
  EXPECT_TRUE(right.certain);
  EXPECT_EQ(right.upper, -2.0);
}

TEST(LipschitzMisuse, IsRefused) {
  const Index1 form = index1_problem("lognorm_linear");
  EXPECT_THROW(lipschitz_constant(form, cube(3, 1.0), Quantity::whole), Misuse);
  EXPECT_THROW(with_scaled_constraint(form, Matrix::identity(3)), Misuse);
}

}  // namespace
}  // namespace driftless::lipschitz_constants_test
