// The majorant inequality integrated, against closed forms; the local tube; a projector that moves.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/stability/lipschitz_tube.h"
#include "driftless/analysis/stability/moving_projector.h"
#include "driftless/core/failure.h"
#include "driftless/integrate/solve.h"
#include "driftless/linalg/dense.h"
#include "tests/unit/analysis/lognorm_cases.h"
#include "testset/problem.h"

namespace driftless::bound_perturbation_test {
namespace {

Index1 index1_problem(const std::string& name) { return std::get<Index1>(testset::problem(name).equations); }

TEST(BoundMajorant, IsTheTheoremIn321And319) {
  const SplitConstants c{-2.0, 1.0, 0.5, -2.0};
  EXPECT_EQ(schur_complement_constant(c), -1.75);
  const Majorant m = majorant_of(c);
  EXPECT_EQ(m.rate, -1.75);
  EXPECT_EQ(m.gain, 0.5);
  EXPECT_EQ(m.slope, 0.25);
  EXPECT_EQ(m.direct, 0.5);
  EXPECT_EQ(majorant_of({-1.0, 1.0, 1.0, 0.0}).rate, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(majorant_of({-1.0, 1.0, 1.0, 0.0}).is_finite());
}

// u' = rate u + a cos^2 ... with constant sizes: u = e^(rate t) u0 + (e^(rate t) - 1)/rate (pp + gain qp).
TEST(BoundDeviation, EqualsTheClosedFormForConstantPerturbations) {
  Matrix p(2, 2);
  p(0, 0) = 1.0;
  const Index1Split split(p, Norm::two());
  for (const double rate : {-2.0, 0.0, 0.7}) {
    const Majorant m{rate, 3.0, 0.4, 0.25};
    const Disturbance disturbance{.start = 0.5, .p = [](double, Span out) { out[0] = -0.2, out[1] = 0.1; }};
    const Vector times = {0.0, 0.5, 1.0, 3.0};
    const auto bounds = bound_deviation(split, m, disturbance, times);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double t = times[i], growth = std::exp(rate * t), sum = rate == 0.0 ? t : (growth - 1.0) / rate;
      EXPECT_NEAR(bounds[i].p_from_start, 0.5 * growth, 1e-8 * growth);
      EXPECT_NEAR(bounds[i].p_from_differential, 0.2 * sum, 1e-8 * (1.0 + sum));
      EXPECT_NEAR(bounds[i].p_from_algebraic, 0.3 * sum, 1e-8 * (1.0 + sum));
      EXPECT_NEAR(bounds[i].p, 0.5 * growth + 0.5 * sum, 1e-8 * (1.0 + growth));
      EXPECT_NEAR(bounds[i].q, 0.4 * bounds[i].p + 0.025, 1e-12);
      EXPECT_NEAR(bounds[i].total(), bounds[i].p + bounds[i].q, 1e-15);
      EXPECT_GE(bounds[i].p, 0.5 * growth + 0.5 * sum - 1e-12 * (1.0 + growth));
    }
  }
}

TEST(BoundDeviation, IntegratesPerturbationsThatVaryAndSwitchSign) {
  Matrix p(1, 1);
  p(0, 0) = 1.0;
  const Index1Split split(p, Norm::two());
  const Disturbance disturbance{.p = [](double t, Span out) { out[0] = std::sin(t); }};
  const Vector times = {0.0, 2.0 * M_PI};
  EXPECT_NEAR(bound_deviation(split, Majorant{}, disturbance, times)[1].p, 4.0, 1e-6);  // the integral of |sin|
  const std::vector<MajorantPiece> pieces = {{0.0, 1.0, {.rate = -1.0}}, {1.0, 2.0, {.rate = 2.0}}};
  const Disturbance start{.start = 1.0};
  const Vector more = {0.0, 1.0, 1.5, 2.0, 2.5};
  const auto bounds = bound_deviation(split, pieces, start, more);
  EXPECT_NEAR(bounds[1].p, std::exp(-1.0), 1e-12);
  EXPECT_NEAR(bounds[2].p, 1.0, 1e-12);
  EXPECT_NEAR(bounds[3].p, std::exp(1.0), 1e-12);
  EXPECT_EQ(bounds[4].p, std::numeric_limits<double>::infinity());
}

TEST(BoundDeviation, RefusesGapsAndTimesThatGoBack) {
  const Index1Split split(Matrix::identity(1), Norm::two());
  const std::vector<MajorantPiece> gap = {{0.0, 1.0, {}}, {1.5, 2.0, {}}};
  EXPECT_THROW(bound_deviation(split, gap, {}, Vector{0.0, 1.0}), Misuse);
  EXPECT_THROW(bound_deviation(split, Majorant{}, {}, Vector{1.0, 0.0}), Misuse);
  EXPECT_THROW(bound_deviation(split, Majorant{}, {}, Vector{}), Misuse);
}

TEST(BoundDeviation, HasALimitIfDeviationsDecay) {
  const Majorant m{-2.0, 3.0, 0.4, 0.25};
  EXPECT_EQ(lasting_bound(m, 0.0, 1.0, 1.0), 2.0);
  EXPECT_EQ(lasting_bound(m, 5.0, 1.0, 1.0), 5.0);
  EXPECT_EQ(lasting_bound({.rate = 0.0}, 5.0, 0.0, 0.0), 5.0);
  EXPECT_EQ(lasting_bound({.rate = 0.1}, 5.0, 0.0, 0.0), std::numeric_limits<double>::infinity());
}

// |y - y~| <= exp(-1.75 t) |y0 - y~0| in the 2-norm, exp(-1.51 t) in the maximum norm.
TEST(BoundStart, TwoSolutionsApproachAsTheRateSays) {
  const auto first = testset::problem("lognorm_nonlinear"), second = testset::problem("lognorm_nonlinear_2");
  const Index1 form = std::get<Index1>(first.equations);
  const auto a = solve(form, first.start, {.span = {0.0, 2.0}, .tolerance = {1e-10, 1e-12}});
  const auto b = solve(form, second.start, {.span = {0.0, 2.0}, .tolerance = {1e-10, 1e-12}});
  for (const auto& [norm, rate] : {std::pair{Norm::two(), -1.75}, std::pair{Norm::maximum(), -1.51}}) {
    const Index1Split split(form.projector(), norm);
    const double start = split.p_norm(sum_of(first.start, second.start, -1.0));
    double largest = 0.0;
    for (const auto& bound :
         bound_deviation(split, Majorant{.rate = rate}, {.start = start}, Vector{0.0, 0.1, 0.5, 1.0, 2.0})) {
      const double measured = split.p_norm(sum_of(a.at(bound.time), b.at(bound.time), -1.0));
      if (bound.time > 0.0) largest = std::max(largest, measured / bound.p);
    }
    EXPECT_LE(largest, 1.0);
    EXPECT_GT(largest, 0.8);
  }
}

TEST(BoundTube, IsSharperThanABoxAndKnowsWhenItIsTooNarrow) {
  const auto problem = testset::problem("lognorm_nonlinear");
  const Index1 form = std::get<Index1>(problem.equations);
  const auto run = solve(form, problem.start, {.span = {0.0, 1.0}});
  const ReferencePath path = path_of(run);
  const Disturbance disturbance{.p = [](double, Span out) { std::fill(out.begin(), out.end(), 0.01); }};
  const Vector times = {0.0, 0.5, 1.0};
  const TubeBound found = bound_along(form, path, disturbance, times, {.p_radius = 1e-5, .q_radius = 1e-5});
  EXPECT_TRUE(found.valid);
  EXPECT_TRUE(found.tube.certain());
  EXPECT_GT(found.widenings, 0);
  EXPECT_GE(found.tube.p_radius, found.bounds.back().p);
  EXPECT_GE(found.tube.q_radius, found.bounds.back().q);
  const auto global = bound_deviation(Index1Split(form.projector(), Norm::two()), majorant_of({-2.0, 1.0, 0.5, -2.0}),
                                      disturbance, times);
  EXPECT_LT(found.bounds.back().p, global.back().p);
  EXPECT_LT(found.tube.growth(), std::exp(-1.75));
  // Constants along the way lie between those at the middle and those of the box.
  for (const TubePiece& piece : found.tube.pieces) {
    EXPECT_LE(piece.rate_at_middle, piece.elimination.rate + 1e-12);
    EXPECT_LE(piece.elimination.rate, -1.75 + 0.1);
  }
  const Tube products = tube_along(form, path, {.theorem = BoundTheorem::product});
  for (const TubePiece& piece : products.pieces) {
    EXPECT_LE(piece.rate_at_middle, piece.product.rate + 1e-12);
    EXPECT_LE(piece.product.rate, -1.75 + 0.1);
  }
  EXPECT_LT(found.tube.growth(), products.growth());
}

TEST(BoundTube, TakesSamplesWhereAModelCannotBeEnclosed) {
  struct Adapter final : Index1::Functions {
    std::shared_ptr<const Index1::Functions> original;
    void f(ConstSpan x, double t, Span out) const override { original->f(x, t, out); }
    void f_jacobian(ConstSpan x, double t, MatrixView j) const override { original->f_jacobian(x, t, j); }
  };
  const Index1 enclosed = index1_problem("lognorm_nonlinear");
  auto plain = std::make_shared<Adapter>();
  plain->original = enclosed.share();
  const Index1 form({.projector = enclosed.projector()}, plain);
  const ReferencePath still{[](double) { return Vector(4, 0.3); }, {0.0, 1.0}};
  const Tube tube = tube_along(form, still, {.p_radius = 0.1, .q_radius = 0.1});
  EXPECT_FALSE(tube.certain());
  EXPECT_LT(tube.pieces.front().product.rate, -1.75);
  EXPECT_THROW(tube_along(form, {[](double) { return Vector(4, 0.0); }, {0.0}}), Misuse);
}

// x = U(t) w with a rotation U that mixes differential and algebraic components: P(t) = U P0 U^T moves. |P x| = |P0 w|,
// so that the constants in the 2-norm are those of the problem in w, if P' is taken into account.
struct Turning {
  Matrix a0;  // of lognorm_linear
  static constexpr double speed = 1.5;
  template <class T>
  static void turn(const T& t, double sign, const T* w, T* x) {
    using std::sin, std::cos;
    const T c = cos(speed * t), s = sign * sin(speed * t);
    x[0] = c * w[0] - s * w[2];
    x[2] = s * w[0] + c * w[2];
    x[1] = w[1];
    x[3] = w[3];
  }
  template <class T>
  void projector(const T& t, OutMatrix<T> p) const {
    for (std::size_t j = 0; j < 4; ++j) {
      T e[4] = {T(0.0), T(0.0), T(0.0), T(0.0)}, w[4], x[4];
      e[j] = T(1.0);
      turn<T>(t, -1.0, e, w);
      w[2] = w[3] = T(0.0);
      turn<T>(t, 1.0, w, x);
      for (std::size_t i = 0; i < 4; ++i) p(i, j) = x[i];
    }
  }
  // P x' = P U' w + U P0 w' = P U' U^T x + U A0 U^T x.
  template <class T>
  void f(In<T> x, const T& t, Out<T> out) const {
    T given[4], w[4], slope[4] = {T(0.0), T(0.0), T(0.0), T(0.0)}, image[4];
    for (std::size_t i = 0; i < 4; ++i) given[i] = x[i];
    turn<T>(t, -1.0, given, w);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) slope[i] += a0(i, j) * w[j];
    slope[0] += -speed * w[2];  // P0 U^T U' w
    turn<T>(t, 1.0, slope, image);
    for (std::size_t i = 0; i < 4; ++i) out[i] = image[i];
  }
};

TEST(BoundMovingProjector, HasTheConstantsOfTheProblemThatItWasTurnedFrom) {
  const Index1 still = index1_problem("lognorm_linear");
  Matrix j(4, 5);
  still.functions().f_jacobian(Vector(4, 0.0), 0.0, j);
  const MovingIndex1 form = moving_index1(Turning{copy_of(j.view().block(0, 0, 4, 4))}, 4);
  for (const double t : {0.0, 0.3, 1.1}) {
    const SplitConstants c = constants_at(form, Vector(4, 0.2), t, Norm::two());
    EXPECT_NEAR(c.differential, -3.0, 1e-10);
    EXPECT_NEAR(c.algebraic_from_differential, 0.5, 1e-10);
    EXPECT_NEAR(c.algebraic, -3.0, 1e-10);
    const Majorant reduced = elimination_at(form, Vector(4, 0.2), t, Norm::two());
    EXPECT_NEAR(reduced.slope, 1.0 / 6.0, 1e-10);
  }
  // Deviations, measured in w where the projector stays.
  const auto p = [](double t, Span out) { out[0] = 0.1, out[1] = -0.05 * std::cos(t), out[2] = 0.02, out[3] = 0.0; };
  const auto in_w = [p](double t, Span out) {
    Vector x(4), w(4);
    p(t, x);
    Turning::turn<double>(t, -1.0, x.data(), w.data());
    std::copy(w.begin(), w.end(), out.begin());
  };
  const Vector start = testset::problem("lognorm_linear").start;
  const auto reference = solve(still, start, {.span = {0.0, 2.0}, .tolerance = {1e-10, 1e-12}});
  const auto deviated = solve(perturbed(still, in_w), start, {.span = {0.0, 2.0}, .tolerance = {1e-10, 1e-12}});
  const ReferencePath path{[&](double t) {
                             Vector w = reference.at(t), x(4);
                             Turning::turn<double>(t, 1.0, w.data(), x.data());
                             return x;
                           },
                           {0.0, 0.5, 1.0, 1.5, 2.0}};
  const auto pieces = majorants_along(form, path);
  const Index1Split split(still.projector(), Norm::two());
  double largest = 0.0;
  for (const auto& bound : bound_deviation(form, Norm::two(), pieces, {.p = p}, Vector{0.0, 0.2, 0.5, 1.0, 2.0})) {
    const Vector d = sum_of(deviated.at(bound.time), reference.at(bound.time), -1.0);
    if (bound.time == 0.0) continue;
    EXPECT_LE(split.p_norm(d), bound.p * (1.0 + 1e-9));
    EXPECT_LE(split.q_norm(d), bound.q * (1.0 + 1e-9));
    largest = std::max(largest, split.p_norm(d) / bound.p);
  }
  EXPECT_GT(largest, 0.5);
}

TEST(BoundMovingProjector, RefusesWhatIsNoProjector) {
  struct Wrong final : MovingIndex1::Functions {
    void projector(double, MatrixView p, MatrixView d) const override {
      p.fill(0.0), d.fill(0.0);
      p(0, 0) = 2.0;
    }
    void f(ConstSpan, double, Span) const override {}
    void f_jacobian(ConstSpan, double, MatrixView) const override {}
  };
  EXPECT_THROW(MovingIndex1(2, std::make_shared<Wrong>()).split(0.0, Norm::two()), Misuse);
}

}  // namespace
}  // namespace driftless::bound_perturbation_test
