#include "driftless/integrate/index_watch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "driftless/driftless.h"
#include "testset/problem.h"

namespace driftless::index_watch_test {
namespace {

struct Case {
  std::string name;
  SolveOptions options;
};

SolveOptions adaptive(AdaptiveMethod method, double tolerance) {
  return {.adaptive = method, .tolerance = {tolerance, 1e-3 * tolerance}};
}

SolveOptions fixed(const Tableau& tableau, std::size_t steps) {
  return {.steps = steps, .method = {.tableau = tableau, .despite_conditions = true}};
}

// Every way to take steps, the half-explicit ones if asked for.
std::vector<Case> all_methods(bool half_explicit) {
  using enum AdaptiveMethod;
  std::vector<Case> cases;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10})
    for (const auto& [name, method] : std::initializer_list<std::pair<const char*, AdaptiveMethod>>{{"auto", automatic},
                                                                                                    {"radau", radau},
                                                                                                    {"dop853", dop853},
                                                                                                    {"dopri5", dopri5},
                                                                                                    {"hem3", hem3},
                                                                                                    {"hem4", hem4},
                                                                                                    {"hem5", hem5}})
      if (half_explicit || std::string(name).starts_with("hem") == false)
        cases.push_back({fmt::format("{} {}", name, tolerance), adaptive(method, tolerance)});
  for (const std::size_t steps : {37, 40, 41, 400, 1001}) {
    cases.push_back({fmt::format("radau_iia(2) {}", steps), fixed(radau_iia(2), steps)});
    cases.push_back({fmt::format("radau_iia(3) {}", steps), fixed(radau_iia(3), steps)});
    if (half_explicit) cases.push_back({fmt::format("hem5 {}", steps), fixed(driftless::hem5(), steps)});
  }
  return cases;
}

void expect_loss(const Equations& equations, ConstSpan start, TimeSpan span, double at, std::vector<Case> methods) {
  for (auto& [name, options] : methods) {
    options.span = span;
    if (!options.steps) options.stepping.limit = 20'000;
    // Fixed steps may fail in front of the point, and only their last values tell where it is.
    const double within = options.steps ? std::max(1e-3, 0.2 * (span.end - span.begin) / *options.steps) : 1e-3;
    const Solution solution = solve(equations, start, options);
    if (solution.ok()) {
      ADD_FAILURE() << name << " reached its end";
      continue;
    }
    const Failure& failure = solution.failure();
    EXPECT_EQ(failure.kind, FailureKind::index_lost) << name << ": " << failure.message();
    EXPECT_NEAR(failure.time, at, within) << name << ": " << failure.message();
    EXPECT_LE(solution.time(solution.size() - 1), at + within) << name;
  }
}

// x = a (1 - t) in the end, with a pole of l: g_u and f_lambda vanish together, det S = -(1 - t)^2 keeps its sign.
template <int gap_by_1000>
struct Pole {
  void f(auto u, auto l, auto, auto out) const {
    out[0] = 1.0 - 2.0 * u[0] * l[0];
    out[1] = 0.1 - 2.0 * u[1] * l[0];
  }
  void g(auto u, auto t, auto out) const {
    out[0] = u[0] * u[0] - u[1] * u[1] - 0.25 * ((1.0 - t) * (1.0 - t) + 1e-3 * gap_by_1000);
  }
};

TEST(IndexWatch, FindsADeterminantThatTouchesZero) {
  expect_loss(index2(Pole<0>{}, {.u = 2, .lambda = 1}), Vector{0.5, 0.0, 0.0}, {0.0, 2.0}, 1.0, all_methods(true));
}

// The same pole beside 0 = w + w^3 - l^2 / 2: S = [a 0; b c] with a ~ (1 - t)^2, but c = 1 + 3 w^2 grows like
// (1 - t)^(-4/3), so that det S falls slowly, and a step over the pole sees next to nothing of it.
struct PoleBesideAChain {
  void f(auto u, auto l, auto, auto out) const {
    out[0] = 1.0 - 2.0 * u[0] * l[0];
    out[1] = 0.1 - 2.0 * u[1] * l[0];
    out[2] = l[1] + l[1] * l[1] * l[1] - 0.5 * l[0] * l[0];
  }
  void g(auto u, auto t, auto out) const {
    out[0] = u[0] * u[0] - u[1] * u[1] - 0.25 * (1.0 - t) * (1.0 - t);
    out[1] = u[2];
  }
};

// Long steps of a fixed size may lose Newton's iteration long before.
TEST(IndexWatch, FindsAPoleBesideAnUnknownThatFollowsIt) {
  const Equations equations = index2(PoleBesideAChain{}, {.u = 3, .constraint_names = {"hyperbola", "chain"}});
  std::vector<Case> methods = all_methods(false);
  std::erase_if(methods, [](const Case& one) { return one.options.steps && *one.options.steps < 400; });
  expect_loss(equations, Vector{0.5, 0.0, 0.0, 0.0, 0.0}, {0.0, 2.0}, 1.0, methods);
  const Solution solution = solve(equations, {0.5, 0.0, 0.0, 0.0, 0.0}, {.span = {0.0, 2.0}});
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.failure().where, "hyperbola");
}

// sqrt |det S| falls in a line to a zero inside the last step. Whatever it has become behind it - other factors of det
// S change as well where multipliers have a pole - a step that fell and rose is searched.
TEST(IndexWatch, SearchesAStepWhoseDeterminantFellAndRose) {
  const Equations equations = index2(Pole<0>{}, {.u = 2, .lambda = 1});
  const auto seen = [](double root) { return Regularity{.rank = 1, .sign = 1, .log_determinant = 2 * std::log(root)}; };
  const Vector anywhere{0.5, 0.0, 0.0};
  for (const double risen : {0.12, 0.3, 1.0, 3.0, 30.0}) {
    IndexWatch watch(equations, false);
    watch.restart(0.0, anywhere);
    watch.see(0.7, anywhere, seen(0.3));
    watch.see(0.8, anywhere, seen(0.2));
    EXPECT_FALSE(watch.see(0.9, anywhere, seen(0.1))) << risen;
    EXPECT_TRUE(watch.see(1.2, anywhere, seen(risen))) << risen;
    const auto failure = watch.search([](double t, Span out) {
      out[0] = 0.5 * (1.0 - t) * std::cosh(0.1);
      out[1] = 0.5 * (1.0 - t) * std::sinh(0.1);
      out[2] = 1.0;
    });
    ASSERT_TRUE(failure) << risen;
    EXPECT_NEAR(failure->time, 1.0, 1e-5);
  }
  IndexWatch falls(equations, false);  // slower and slower: no zero
  falls.restart(0.0, anywhere);
  falls.see(0.7, anywhere, seen(0.3));
  falls.see(0.8, anywhere, seen(0.2));
  EXPECT_FALSE(falls.see(0.9, anywhere, seen(0.15)));
}

TEST(IndexWatch, SaysWhatIsLostAndWhere) {
  const Equations equations =
      index2(Pole<0>{}, {.u_names = {"x", "y"}, .lambda_names = {"l"}, .constraint_names = {"hyperbola"}});
  const Solution solution = solve(equations, {0.5, 0.0, 0.0}, {.span = {0.0, 2.0}});
  ASSERT_FALSE(solution.ok());
  const std::string text = solution.failure().message();
  EXPECT_NE(text.find("index lost at t = 1"), std::string::npos) << text;
  EXPECT_NE(text.find("g_u Gamma^-1 f_lambda becomes singular"), std::string::npos) << text;
  EXPECT_NE(text.find("hyperbola"), std::string::npos) << text;
  // What was right until then is there, with a condition that shows what came.
  EXPECT_GT(solution.size(), 5u);
  EXPECT_GT(solution.certificate().condition, 1e3);
  EXPECT_NEAR(solution.certificate().condition_time, 1.0, 0.05);
}

// det S = 1 - t changes its sign, u = sin t does not notice.
struct SignChange {
  void f(auto, auto l, auto t, auto out) const {
    out[0] = (1.0 - t) * l[0];
    out[1] = 0.0 * t;
  }
  void g(auto u, auto t, auto out) const {
    using std::sin;
    out[0] = u[0] - sin(t);
  }
};

TEST(IndexWatch, FindsAChangeOfSign) {
  expect_loss(index2(SignChange{}, {.u = 2, .lambda = 1}), Vector{0.0, 0.0, 1.0}, {0.0, 1.9}, 1.0, all_methods(true));
}

// S = [1 t; t 1]: no entry vanishes.
struct TwoByTwo {
  void f(auto, auto l, auto t, auto out) const {
    out[0] = l[0] + t * l[1];
    out[1] = t * l[0] + l[1];
  }
  void g(auto u, auto t, auto out) const {
    using std::sin;
    out[0] = u[0] - sin(t);
    out[1] = u[1] - t * t;
  }
};

TEST(IndexWatch, FindsTwoConstraintsThatBecomeOne) {
  expect_loss(index2(TwoByTwo{}, {.u = 2, .lambda = 2}), Vector{0.0, 0.0, 1.0, 0.0}, {0.0, 1.7}, 1.0,
              all_methods(true));
}

// 0 = z^2 - (1 - t): nothing beyond t = 1. 0 = (1 - t) (z - y): z = exp(-t) passes, G_z changes its sign.
struct Fold {
  void F(auto y, auto, auto, auto out) const { out[0] = -y[0]; }
  void G(auto, auto z, auto t, auto out) const { out[0] = z[0] * z[0] - (1.0 - t); }
};
struct Passing {
  void F(auto y, auto, auto, auto out) const { out[0] = -y[0]; }
  void G(auto y, auto z, auto t, auto out) const { out[0] = (1.0 - t) * (z[0] - y[0]); }
};

// 0 = y^2 + z^2 - 1, y' = z: from z = cos t on both y = sin t and y = 1 lead on. Adaptive steps see that.
struct Circle {
  void F(auto, auto z, auto, auto out) const { out[0] = z[0]; }
  void G(auto y, auto z, auto, auto out) const { out[0] = y[0] * y[0] + z[0] * z[0] - 1.0; }
};

TEST(IndexWatch, FindsFoldsOfIndexOne) {
  expect_loss(partitioned(Fold{}, {.y = 1, .z = 1}), Vector{1.0, 1.0}, {0.0, 2.0}, 1.0, all_methods(false));
  expect_loss(partitioned(Passing{}, {.y = 1, .z = 1}), Vector{1.0, 1.0}, {0.0, 1.9}, 1.0, all_methods(false));
  for (const auto method : {AdaptiveMethod::automatic, AdaptiveMethod::radau, AdaptiveMethod::dop853})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      auto options = adaptive(method, tolerance);
      options.span = {0.0, 3.0};
      const Solution solution = solve(partitioned(Circle{}, {.y = 1, .z = 1}), {0.0, 1.0}, options);
      ASSERT_FALSE(solution.ok()) << tolerance;
      EXPECT_EQ(solution.failure().kind, FailureKind::index_lost) << tolerance << solution.failure().message();
      EXPECT_NEAR(solution.failure().time, std::numbers::pi / 2, 2e-3) << tolerance;
    }
}

// Dg f_v k_lambda = 1 - t, index 3, not of mechanics.
struct Index3Loss {
  void f(auto, auto v, auto, auto out) const {
    out[0] = v[0];
    out[1] = v[1];
  }
  void k(auto, auto, auto l, auto t, auto out) const {
    out[0] = (1.0 - t) * l[0];
    out[1] = 0.0 * l[0] - 1.0;
  }
  void g(auto u, auto t, auto out) const {
    using std::cos;
    out[0] = u[0] - cos(t);
  }
};

TEST(IndexWatch, FindsTheLossOfIndexThree) {
  expect_loss(index3(Index3Loss{}, {.u = 2, .v = 2, .lambda = 1}), Vector{1.0, 0.0, 0.0, 0.0, -1.0}, {0.0, 1.9}, 1.0,
              all_methods(false));
}

// A bead slides with speed 1 on a lemniscate: after a quarter of its length it is where both branches cross and the
// gradient vanishes. The quarter is half of the lemniscate constant.
struct Lemniscate {
  void force(auto, auto, auto, auto) const {}
  void constraint(auto q, auto, auto g) const {
    const auto r = q[0] * q[0] + q[1] * q[1];
    g[0] = r * r - q[0] * q[0] + q[1] * q[1];
  }
};

TEST(IndexWatch, FindsTheCrossingOfALemniscate) {
  expect_loss(mechanical(Lemniscate{}, {.q = 2, .lambda = 1}), Vector{1.0, 0.0, 0.0, 1.0, 0.0}, {0.0, 2.0},
              1.311028777146060, all_methods(true));
}

// |det S| falls to 1e-3 and comes back: the run goes on, and the condition tells.
struct NearMiss {
  void f(auto, auto l, auto t, auto out) const {
    out[0] = ((1.0 - t) * (1.0 - t) + 1e-3) * l[0];
    out[1] = l[0];
  }
  void g(auto u, auto t, auto out) const { out[0] = u[0] - t * t; }
};

TEST(IndexWatch, ANearMissGoesOn) {
  using enum AdaptiveMethod;
  for (const auto method : {automatic, radau, dop853, hem4}) {
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      auto options = adaptive(method, tolerance);
      options.span = {0.0, 2.0};
      const Solution angle = solve(index2(NearMiss{}, {.u = 2, .lambda = 1}), {0.0, 0.0, 0.0}, options);
      ASSERT_TRUE(angle.ok()) << angle.failure().message();
      EXPECT_NEAR(angle.final("u[0]"), 4.0, 1e-9);
      const double root = std::sqrt(1e-3), exact = 4.0 / root * std::atan(1.0 / root);
      EXPECT_NEAR(angle.final("u[1]"), exact, 100.0 * tolerance * exact);
      // |f_lambda| is sqrt(2) at most.
      EXPECT_GT(angle.certificate().condition, 0.7e3);
      EXPECT_LT(angle.certificate().condition, 1.5e3);
      EXPECT_NEAR(angle.certificate().condition_time, 1.0, 0.05);
      const Solution length = solve(index2(Pole<1>{}, {.u = 2, .lambda = 1}), {0.5, 0.0, 0.0}, options);
      EXPECT_TRUE(length.ok() || length.failure().kind != FailureKind::index_lost) << length.failure().message();
    }
  }
}

// A jump that changes nothing shortly before the zero: no step before tells the first one after it what comes.
TEST(IndexWatch, FindsAZeroInTheFirstStepAfterAJump) {
  using enum AdaptiveMethod;
  const Equations equations = index2(Pole<0>{}, {.u = 2, .lambda = 1});
  for (const double ahead : {0.1, 0.01, 1e-3, 6.3e-4, 1e-4}) {
    const Event jump{.name = "jump",
                     .root = [ahead](double t, ConstSpan) { return t - (1.0 - ahead); },
                     .jump = [](double, Span) {}};
    for (const auto method : {automatic, radau, dop853, dopri5, hem3, hem4, hem5})
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        auto options = adaptive(method, tolerance);
        options.span = {0.0, 2.0};
        options.stepping.limit = 20'000;
        options.stepping.first = 1.3 * ahead;
        options.events = {jump};
        const Solution solution = solve(equations, {0.5, 0.0, 0.0}, options);
        ASSERT_FALSE(solution.ok()) << ahead << ' ' << tolerance << ' ' << static_cast<int>(method);
        EXPECT_EQ(solution.failure().kind, FailureKind::index_lost) << solution.failure().message();
        EXPECT_NEAR(solution.failure().time, 1.0, 1e-3) << solution.failure().message();
        EXPECT_EQ(solution.events().size(), 1u) << ahead;
      }
  }
}

// The same where a run starts there. A step of a fixed size that is far longer than the way to the zero ends anywhere.
TEST(IndexWatch, FindsAZeroInTheFirstStepOfARun) {
  const Equations equations = index2(Pole<0>{}, {.u = 2, .lambda = 1});
  for (const double ahead : {0.1, 0.01, 1e-3})
    for (auto& [name, options] : all_methods(true)) {
      if (options.steps && 20.0 * ahead * static_cast<double>(*options.steps) < 1.0) continue;
      options.span = {1.0 - ahead, 2.0};
      if (!options.steps) options.stepping.limit = 20'000;
      const Solution solution = solve(equations, {0.5 * ahead, 0.0, 0.0}, options);
      EXPECT_FALSE(solution.ok()) << name << ' ' << ahead;
    }
}

// No zero, but det S falls fast after a jump: nothing is lost.
TEST(IndexWatch, ANearMissAfterAJumpGoesOn) {
  for (const double ahead : {0.1, 0.03, 0.01}) {
    const Event jump{.name = "jump",
                     .root = [ahead](double t, ConstSpan) { return t - (1.0 - ahead); },
                     .jump = [](double, Span) {}};
    for (const auto method : {AdaptiveMethod::automatic, AdaptiveMethod::radau, AdaptiveMethod::hem4}) {
      auto options = adaptive(method, 1e-6);
      options.span = {0.0, 2.0};
      options.events = {jump};
      const Solution solution = solve(index2(NearMiss{}, {.u = 2, .lambda = 1}), {0.0, 0.0, 0.0}, options);
      ASSERT_TRUE(solution.ok()) << solution.failure().message();
      EXPECT_NEAR(solution.final("u[0]"), 4.0, 1e-9);
    }
  }
}

TEST(IndexWatch, RedundantConstraintsAreNoLoss) {
  const auto problem = testset::problem("redundant_parallelogram");
  for (const auto method : {AdaptiveMethod::automatic, AdaptiveMethod::radau}) {
    const Solution solution = solve(problem.equations, problem.start,
                                    {.span = {problem.begin, 1.0}, .adaptive = method, .tolerance = {1e-8, 1e-8}});
    ASSERT_TRUE(solution.ok()) << solution.failure().message();
    EXPECT_NEAR(solution.final("x"), problem.references[0].state[0], 1e-6);
    EXPECT_TRUE(std::isfinite(solution.certificate().condition));
  }
}

// The sign of G_z jumps, by an event or inside a formula: it is nowhere zero.
struct Flips {
  double at;
  void F(auto y, auto, auto, auto out) const {
    out[0] = -y[0];
    out[1] = 0.0 * y[1];
  }
  void G(auto y, auto z, auto t, auto out) const { out[0] = (t < at ? 1.0 : -1.0) * y[1] * (z[0] - y[0]); }
};

TEST(IndexWatch, ASignThatJumpsIsNoLoss) {
  const auto flips = [](double at) { return partitioned(Flips{at}, {.y_names = {"y", "s"}, .z_names = {"z"}}); };
  for (const auto method : {AdaptiveMethod::automatic, AdaptiveMethod::radau, AdaptiveMethod::dop853}) {
    const Event turn{.name = "turn",
                     .root = [](double t, ConstSpan) { return t - 0.5; },
                     .jump = [](double, Span x) { x[1] = -x[1]; }};
    for (const auto& [equations, events] :
         {std::pair{flips(9.0), std::vector{turn}}, std::pair{flips(0.5), std::vector<Event>{}}}) {
      const Solution solution =
          solve(equations, {1.0, 1.0, 1.0}, {.span = {0.0, 1.0}, .adaptive = method, .events = events});
      ASSERT_TRUE(solution.ok()) << solution.failure().message();
      EXPECT_NEAR(solution.final("z"), std::exp(-1.0), 1e-5);
    }
  }
}

TEST(IndexWatch, AnEventThatComesFirstEndsTheRun) {
  const Equations equations = index2(Pole<0>{}, {.u = 2, .lambda = 1});
  const auto until = [&](double t) {
    return solve(
        equations, {0.5, 0.0, 0.0},
        {.span = {0.0, 2.0},
         .events = {{.name = "enough", .root = [t](double time, ConstSpan) { return time - t; }, .terminal = true}}});
  };
  const Solution before = until(0.9995), after = until(1.0005);
  ASSERT_TRUE(before.ok()) << before.failure().message();
  EXPECT_EQ(*before.ended_by(), "enough");
  ASSERT_FALSE(after.ok());
  EXPECT_EQ(after.failure().kind, FailureKind::index_lost);
}

}  // namespace
}  // namespace driftless::index_watch_test
