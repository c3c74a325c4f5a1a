// Proofs on boxes where a naive one is false: the constraint leaves the box, has several branches, folds, or is not
// monotone. Every model comes with two solutions in closed form that refute it, and boxes where the proof must succeed.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "driftless/analysis/stability/constraint_graph.h"
#include "driftless/analysis/stability/mean_value_bound.h"
#include "driftless/analysis/stability/stability_report.h"
#include "driftless/equations/index1_enclosed.h"
#include "tests/unit/analysis/box_models.h"
#include "testset/problem.h"

namespace driftless::stability_proofs_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Index1 index1_problem(const std::string& name) { return std::get<Index1>(testset::problem(name).equations); }

template <class M>
Index1 scalar(const M& model) {
  return enclosed_partitioned(model, {.y_names = {"y"}, .z_names = {"z"}});
}

Box box_yz(double y0, double y1, double z0, double z1) { return {.x = {Interval(y0, y1), Interval(z0, z1)}}; }

// A state that the equations leave at rest: P f = 0 and Q f = 0.
void expect_at_rest(const Index1& form, const Box& box, ConstSpan x) {
  Vector f(form.size());
  form.functions().f(x, 0.0, f);
  for (const double value : f) EXPECT_NEAR(value, 0.0, 1e-12);
  EXPECT_TRUE(box.contains(x));
}

// (P - h f)(x) is the same for both: two solutions of one step of implicit Euler.
void expect_same_step(const Index1& form, const Box& box, double h, ConstSpan a, ConstSpan b) {
  Vector fa(form.size()), fb(form.size());
  form.functions().f(a, 0.0, fa);
  form.functions().f(b, 0.0, fb);
  for (std::size_t i = 0; i < form.size(); ++i) {
    double left = -h * (fa[i] - fb[i]);
    for (std::size_t j = 0; j < form.size(); ++j) left += form.projector()(i, j) * (a[j] - b[j]);
    EXPECT_NEAR(left, 0.0, 1e-12);
  }
  EXPECT_TRUE(box.contains(a) && box.contains(b));
  double apart = 0.0;
  for (std::size_t i = 0; i < form.size(); ++i) apart = std::max(apart, std::abs(a[i] - b[i]));
  EXPECT_GT(apart, 0.5);
}

// As `analyse stability` looks: as written, else scaled.
std::vector<StabilityReport> all_reports(const Index1& form, const Box& box) {
  std::vector<StabilityReport> reports;
  for (const char* norm : {"1", "2", "inf"})
    for (const ConstraintScaling scaling : {ConstraintScaling::as_given, ConstraintScaling::newton})
      reports.push_back(analyse_stability(form, box, {.norm = Norm::by_name(norm), .scaling = scaling}));
  return reports;
}

// Two solutions at rest in the box do not approach each other, and solve implicit Euler with every step size from
// themselves; two solutions of one step with `h` forbid h rate < 1.
void expect_no_false_proof(const StabilityReport& r, double h) {
  EXPECT_FALSE(r.proved);
  EXPECT_NE(r.exponentially_stable, Verdict::yes);
  EXPECT_FALSE(r.rate_proved && r.rate < 0.0) << r.rate;
  EXPECT_LE(r.euler_step_limit, h);
  EXPECT_NE(r.graph.solved, Verdict::yes);
  EXPECT_FALSE(r.graph.reason.empty());
  EXPECT_FALSE(r.graph.advice.empty());
  for (const std::string& sentence : r.sentences) {
    EXPECT_EQ(sentence.find("shrink"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("every step size"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("inf"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("nan"), std::string::npos) << sentence;
  }
}

TEST(StabilityProofs, AConstraintThatLeavesTheBoxProvesNothing) {
  const Index1 form = scalar(Hill{});
  const Box box = box_yz(-4.0, 4.0, -0.5, 1.0);
  const double y = 3.0, h = 10.0, step = 3.0 * h / (1.0 + h);  // tanh(60) = tanh(20 step) = 1 in numbers
  const auto z_of = [](double at) {
    double z = 0.0;
    for (int k = 0; k < 50; ++k) z += (5.0 * std::exp(-at * at) - z - 0.1 * z * z * z) / (1.0 + 0.3 * z * z);
    return z;
  };
  for (const double sign : {-1.0, 1.0}) expect_at_rest(form, box, Vector{sign * y, z_of(y)});
  expect_same_step(form, box, h, Vector{step, z_of(step)}, Vector{-step, z_of(step)});
  for (const StabilityReport& r : all_reports(form, box)) {
    expect_no_false_proof(r, h);
    EXPECT_EQ(r.graph.solved, Verdict::no);
    EXPECT_NE(r.sentences.back().find("over y = 0 the constraint has no solution in the box (outside, z = 2.80143)"),
              std::string::npos);
    EXPECT_NE(r.sentences.back().find("Try larger sides for z, or smaller ones for y"), std::string::npos);
    EXPECT_NEAR(r.rate, 59.0, 1e-4);  // -1 + 60 at y = 0: proved, and no more
  }
}

TEST(StabilityProofs, AParabolaThatIsCutOffProvesNothing) {
  const Index1 form = scalar(Parabola{});
  const Box box = box_yz(-1.3, 1.3, -1.5, 0.5);
  for (const double y : {-1.0, 1.0}) expect_at_rest(form, box, Vector{y, 0.0});
  // y = 2 h y - 2 h y^3 from 0: y^2 = 1 - 1/(2 h).
  const double h = 2.5, y = std::sqrt(1.0 - 0.5 / h), z = 2.0 - 2.0 * y * y;
  expect_same_step(form, box, h, Vector{y, z}, Vector{-y, z});
  for (const StabilityReport& r : all_reports(form, box)) expect_no_false_proof(r, h);
}

TEST(StabilityProofs, NorInOtherCoordinates) {
  const double s = std::sqrt(0.5);
  Matrix p(2, 2);
  p(0, 0) = p(0, 1) = p(1, 0) = p(1, 1) = 0.5;
  const Index1 form = enclosed_index1(TurnedParabola{}, {.projector = p});
  const Box box = box_yz(-1.0, 1.0, -1.0, 1.0);
  for (const double y : {-1.0, 1.0}) expect_at_rest(form, box, Vector{s * y, s * y});
  for (const StabilityReport& r : all_reports(form, box)) expect_no_false_proof(r, 2.5);
}

TEST(StabilityProofs, TwoBranchesProveNothing) {
  const Index1 form = scalar(TwoBranches{});
  const double rest = 1.0 / std::sqrt(0.99);
  for (const double top : {2.0, 1.9}) {  // 1.9: singular in the middle
    const Box box = box_yz(-2.0, 2.0, -1.9, top);
    for (const double sign : {-1.0, 1.0}) expect_at_rest(form, box, Vector{sign * rest, sign * rest});
    for (const StabilityReport& r : all_reports(form, box)) {
      expect_no_false_proof(r, 1e-3);
      EXPECT_NE(r.index_1, Verdict::yes);
      EXPECT_EQ(r.singular, top == 1.9);
      EXPECT_FALSE(r.rate_proved);
    }
  }
}

TEST(StabilityProofs, ThreeRegularBranchesProveNothing) {
  const Index1 form = scalar(Cubic{});
  const Box box = box_yz(-1.5, 1.5, -1.5, 1.5);
  const double rest = std::sqrt(1.1);
  for (const double z : {-rest, 0.0, rest}) expect_at_rest(form, box, Vector{z, z});
  // The constants on the manifold are finite and negative: this is what a naive proof sees.
  EXPECT_LT(lipschitz_constant(form, box, Quantity::reduced).upper, -0.9);
  for (const StabilityReport& r : all_reports(form, box)) expect_no_false_proof(r, 1e-3);
}

TEST(StabilityProofs, TwoBranchesBesideAFoldProveNothing) {
  const Index1 form = scalar(Fold{});
  for (const double bottom : {-1.5, -1.4}) {  // -1.5: singular in the middle, off the constraint
    const Box box = box_yz(0.25, 2.0, bottom, 1.5);
    for (const double z : {-1.0, 1.0}) expect_at_rest(form, box, Vector{1.0, z});
    expect_same_step(form, box, 3.0, Vector{1.0, 1.0}, Vector{1.0, -1.0});
    for (const StabilityReport& r : all_reports(form, box)) expect_no_false_proof(r, 1e-3);
  }
}

TEST(StabilityProofs, AConstraintThatIsMonotoneInPartsProvesNothing) {
  const Index1 form = scalar(Switch{});
  const Box box = box_yz(-0.3, 0.3, -2.5, 2.5);
  double z = 2.0;
  for (int k = 0; k < 50; ++k) z = 2.0 * std::tanh(5.0 * z);
  for (const double sign : {-1.0, 1.0}) expect_at_rest(form, box, Vector{0.1 * sign * z, sign * z});
  for (const StabilityReport& r : all_reports(form, box)) {
    expect_no_false_proof(r, 1e-3);
    EXPECT_NE(r.index_1, Verdict::yes);
  }
}

TEST(StabilityProofs, ARingWhoseMiddleIsCutOffProvesNothing) {
  const Index1 form = enclosed_partitioned(Ring{}, {.y_names = {"y1", "y2"}, .z_names = {"z"}});
  const Box box{.x = {Interval(-1.3, 1.3), Interval(-1.3, 1.3), Interval(-1.0, 0.1)}};
  const double radius = std::sqrt(1.2);
  for (const double angle : {0.0, 1.0, 2.5})
    expect_at_rest(form, box, Vector{radius * std::cos(angle), radius * std::sin(angle), 0.0});
  // z > 0 inside the ring moves outwards: opposite points of one step from the middle, y (1 - h z) = 0 with h z = 1.
  const double h = 20.0, z = 1.0 / h, y = std::sqrt(1.2 - z - 0.2 * z * z * z);
  expect_same_step(form, box, h, Vector{y, 0.0, z}, Vector{-y, 0.0, z});
  for (const StabilityReport& r : all_reports(form, box)) expect_no_false_proof(r, h);
}

TEST(StabilityProofs, ABoxWithoutTheConstraintProvesNothing) {
  const StabilityReport r = analyse_stability(scalar(Parabola{}), box_yz(-1.0, 1.0, 3.0, 4.0));
  EXPECT_FALSE(r.proved);
  EXPECT_EQ(r.graph.solved, Verdict::no);
  EXPECT_GT(r.rate, 0.0);  // M_P = z: what holds between any two states of the box
}

// Whatever the box: no two points of the constraint inside may have a quotient above the rate that is proved.
TEST(StabilityProofs, NoQuotientIsAboveAProvedRate) {
  const Index1 form = scalar(Parabola{});
  int proved = 0, graphs = 0;
  for (const double left : {-1.3, -0.5, 0.2, 0.9})
    for (const double width : {0.3, 0.6, 1.5, 2.6})
      for (const double bottom : {-4.0, -1.5, 0.2})
        for (const double height : {0.7, 2.0, 7.0}) {
          const Box box = box_yz(left, left + width, bottom, bottom + height);
          const StabilityReport r =
              analyse_stability(form, box, {.refinement = {.boxes = 60}, .sampling = {.points = 100}});
          double largest = -infinity, whole = 0.0;
          Vector inside;
          for (int k = 0; k <= 200; ++k) {
            const double y = left + width * k / 200.0;
            if (box.x[1].contains(2.0 - 2.0 * y * y)) inside.push_back(y);
            whole += box.x[1].contains(2.0 - 2.0 * y * y);
          }
          for (const double a : inside)
            for (const double b : inside)
              if (a != b) largest = std::max(largest, 2.0 - 2.0 * (a * a + a * b + b * b));
          proved += r.rate_proved;
          graphs += r.graph.solved == Verdict::yes;
          if (r.rate_proved) {
            EXPECT_LE(largest, r.rate + 1e-12) << left << " " << width << " " << bottom << " " << height;
          }
          if (r.graph.solved == Verdict::yes) {
            EXPECT_EQ(whole, 201.0);
          }
          if (r.graph.solved == Verdict::no) {
            EXPECT_LT(whole, 201.0);
          }
          EXPECT_EQ(r.proved, r.graph.solved == Verdict::yes);
        }
  EXPECT_EQ(proved, 144);  // Theorem 3.4 at least: the Jacobian is bounded and M_Q+ = -1
  EXPECT_GT(graphs, 20);
}

struct Positive {
  const char* what;
  Index1 form;
  Box box;
  ConstraintScaling scaling;
  double rate;  // the constant of Theorem 3.5, in closed form
};

TEST(StabilityProofs, SucceedWhereTheConstraintStaysInTheBox) {
  double lowest = 1.0;  // z^3 - z = 0.1 y at y = -1.5, where dz/dy = 0.1 / (3 z^2 - 1) is largest
  for (int k = 0; k < 50; ++k) lowest -= (std::pow(lowest, 3) - lowest + 0.15) / (3.0 * lowest * lowest - 1.0);
  const auto as_given = ConstraintScaling::as_given, newton = ConstraintScaling::newton;
  for (const Positive& p : {
           Positive{"one side of the hill", scalar(Hill{}), box_yz(1.0, 4.0, -0.5, 2.0), as_given,
                    -1.0 + 60.0 / std::pow(std::cosh(20.0), 2)},
           Positive{"one side of the parabola", scalar(Parabola{}), box_yz(0.9, 1.3, -1.5, 0.5), as_given,
                    2.0 - 6.0 * 0.81},
           Positive{"all of the parabola", scalar(Parabola{}), box_yz(-1.3, 1.3, -1.5, 2.1), as_given, 2.0},
           Positive{"the upper branch", scalar(TwoBranches{}), box_yz(-2.0, 2.0, 0.5, 2.0), newton,
                    -1.0 + 0.02 / std::sqrt(1.04)},
           Positive{"the upper branch of three", scalar(Cubic{}), box_yz(-1.5, 1.5, 0.8, 1.5), newton,
                    -1.0 + 0.1 / (3.0 * lowest * lowest - 1.0)},
           Positive{"right of the fold", scalar(Fold{}), box_yz(0.25, 2.0, 0.3, 1.5), newton, -1.0},
       }) {
    SCOPED_TRACE(p.what);
    const StabilityReport r = analyse_stability(p.form, p.box, {.scaling = p.scaling});
    EXPECT_TRUE(r.proved) << r.graph.reason;
    EXPECT_EQ(r.index_1, Verdict::yes);
    EXPECT_EQ(r.graph.solved, Verdict::yes) << r.graph.reason;
    EXPECT_NEAR(r.reduced.upper, p.rate, 2e-3);
    EXPECT_GE(r.rate, p.rate - 1e-7);
    EXPECT_EQ(r.exponentially_stable, p.rate < 0.0 ? Verdict::yes : Verdict::open);
    EXPECT_EQ(r.euler_step_limit, p.rate < 0.0 ? infinity : 1.0 / r.rate);
  }
}

// Constants of the nonlinear problem in closed form: S = -1.75; with the constraint solved, -2.06185 was seen.
TEST(StabilityProofs, SamplesAreNoBounds) {
  const StabilityReport r =
      analyse_stability(index1_problem("lognorm_nonlinear"), box_around(Vector(4, 0.0), Vector(4, 2.5)));
  EXPECT_TRUE(r.proved);
  EXPECT_EQ(r.graph.solved, Verdict::yes);
  for (const LipschitzConstant* c : r.constants()) {
    EXPECT_TRUE(c->certain) << symbol_of(c->quantity);
    EXPECT_LE(c->sampled, c->upper + 1e-12) << symbol_of(c->quantity);
  }
  EXPECT_NEAR(r.schur, -1.75, 1e-2);
  EXPECT_LE(r.rate, r.schur);
  EXPECT_EQ(r.rate, std::min(r.schur, r.reduced.upper));
  EXPECT_GE(r.rate, -2.06185);
  EXPECT_EQ(r.sharp.gain, std::min(r.product.gain, r.reduced_gain.upper));
  EXPECT_EQ(r.sharp.slope, std::min(r.product.slope, r.implicit_slope.upper));
  EXPECT_EQ(r.sharp.direct, std::min(r.product.direct, r.implicit_gain.upper));
}

// A linear problem has the same constants between any two states, wherever its constraint runs.
TEST(StabilityProofs, ALinearProblemNeedsNoGraph) {
  const Index1 form = index1_problem("lognorm_linear");
  Box box = box_around(Vector(4, 0.0), Vector{5.0, 5.0, 0.01, 0.01});
  const StabilityReport r = analyse_stability(form, box);
  EXPECT_EQ(r.graph.solved, Verdict::no);
  EXPECT_FALSE(r.proved);  // not all hypotheses of Theorem 3.5
  EXPECT_TRUE(r.rate_proved);
  EXPECT_NEAR(r.rate, -2.886666666666667, 1e-10);
}

// The fluxes of this box cannot follow its temperatures, but the coupling is skew: contractive between any two states.
TEST(StabilityProofs, HeatConductionIsContractiveAndNothingElse) {
  const Index1 form = index1_problem("heat_flux_mol_10");
  const Vector start = testset::problem("heat_flux_mol_10").start;
  const StabilityReport r = analyse_stability(form, box_around(start, Vector(start.size(), 0.3)),
                                              {.refinement = {.boxes = 60}, .sampling = {.points = 20}});
  EXPECT_TRUE(r.rate_proved);
  EXPECT_EQ(r.rate, 0.0);
  EXPECT_NE(r.sentences[1].find("Contractive: deviations"), std::string::npos) << r.sentences[1];
  EXPECT_EQ(r.euler_step_limit, infinity);
}

// Without intervals there are samples only, and they are called that.
TEST(StabilityProofs, SamplesAreNotSaidToProveAnything) {
  const Index1 form = partitioned(Parabola{}, {.y_names = {"y"}, .z_names = {"z"}});
  const StabilityReport r = analyse_stability(form, box_yz(0.9, 1.3, -1.5, 0.5));
  EXPECT_FALSE(r.proved || r.product_proved || r.sharp_proved || r.rate_proved);
  EXPECT_EQ(r.graph.solved, Verdict::open);
  EXPECT_EQ(r.exponentially_stable, Verdict::open);
  EXPECT_EQ(r.euler_step_limit, 0.0);
  EXPECT_NEAR(r.rate, 2.0 - 6.0 * 0.81, 1e-2);
  EXPECT_NE(r.sentences[1].find("this is a lower estimate, not a bound"), std::string::npos) << r.sentences[1];
  EXPECT_EQ(r.sentences[1].find("shrink"), std::string::npos);
}

// With a disturbed constraint all of its neighbours have to stay inside.
TEST(StabilityProofs, TheGraphHasToHoldForPerturbedConstraintsToo) {
  const Index1 form = scalar(Parabola{});
  const Box box = box_yz(0.9, 1.3, -1.45, 0.45);  // z from -1.38 to 0.38
  EXPECT_EQ(analyse_stability(form, box, {.manifold_radius = 0.05}).graph.solved, Verdict::yes);
  EXPECT_NE(analyse_stability(form, box, {.manifold_radius = 0.08}).graph.solved, Verdict::yes);
}

// An enclosure that starts infinite is refined, not given up: the block is regular on the box, but its hull is not.
TEST(StabilityProofs, AnInfiniteEnclosureIsRefined) {
  const Index1 form = index1_problem("lognorm_nonlinear");
  const Box box = box_around(Vector(4, 0.0), Vector(4, 2.5));
  EXPECT_EQ(lipschitz_constant(form, box, Quantity::implicit_gain, {.refinement = {.boxes = 1}}).upper, infinity);
  const LipschitzConstant c = lipschitz_constant(form, box, Quantity::implicit_gain);
  EXPECT_TRUE(c.certain);
  EXPECT_GT(c.boxes, 1u);
  EXPECT_NEAR(c.upper, 0.5, 1e-3);  // 1 / (2 + 3 z^2) at z = 0
}

}  // namespace
}  // namespace driftless::stability_proofs_test
