// The library's doors: what cannot be honoured is refused, with a word about what.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "driftless/driftless.h"

namespace driftless::misuse_test {
namespace {

struct Decay {
  void force(auto q, auto, auto, auto f) const { f[0] = -q[0]; }
  void constraint(auto, auto, auto) const {}
};
Equations decay() { return mechanical(Decay{}, {.q_names = {"x"}}); }

const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
const auto nothing = [](double, ConstSpan) { return 1.0; };

std::string refusal(const SolveOptions& options) {
  try {
    (void)solve(decay(), {1.0, 0.0}, options);
  } catch (const Misuse& misuse) {
    return misuse.what();
  }
  return "accepted";
}

struct Nonsense {
  const char* name;
  SolveOptions options;
  const char* word;
};
class Options : public testing::TestWithParam<Nonsense> {};

TEST_P(Options, ThatCannotBeHonouredAreMisuse) {
  EXPECT_NE(refusal(GetParam().options).find(GetParam().word), std::string::npos) << refusal(GetParam().options);
}

INSTANTIATE_TEST_SUITE_P(
    Solve, Options,
    testing::Values(
        Nonsense{"NegativeTolerance", {.tolerance = {.absolute_by_component = {1e-9, -1e-9}}}, "x'"},
        Nonsense{"NaNTolerance", {.tolerance = {.absolute_by_component = {nan, 1e-9}}}, "the absolute one of x is nan"},
        Nonsense{"ZeroTolerance", {.tolerance = {.absolute_by_component = {0.0, 1e-9}}}, "positive"},
        Nonsense{"InfiniteTolerance", {.tolerance = {.absolute_by_component = {infinity, 1e-9}}}, "positive"},
        Nonsense{"LargestStepNaN", {.stepping = {.largest = nan}}, "largest step"},
        Nonsense{"LargestStepNegative", {.stepping = {.largest = -0.1}}, "largest step"},
        Nonsense{"FirstStepNaN", {.stepping = {.first = nan}}, "first step"},
        Nonsense{"FirstStepInfinite", {.stepping = {.first = infinity}}, "first step"},
        Nonsense{"FirstAboveLargest", {.stepping = {.first = 0.2, .largest = 0.1}}, "exceed"},
        Nonsense{"NoAttempts", {.stepping = {.limit = 0}}, "at least one"},
        Nonsense{"NewtonShare", {.radau = {.newton_share = -0.1}}, "newton_share"},
        Nonsense{"NewtonShareNaN", {.radau = {.newton_share = nan}}, "newton_share"},
        Nonsense{"SpanNaN", {.span = {0.0, nan}}, "span"},
        Nonsense{"OutputNaN", {.output_times = {nan}}, "output time"},
        Nonsense{"NoEvents", {.event_limit = 0}, "event_limit"},
        Nonsense{"TerminalJump",
                 {.events = {{.name = "wall", .root = nothing, .terminal = true, .jump = [](double, Span) {}}}},
                 "wall"},
        Nonsense{"FixedFirstStep", {.stepping = {.first = 0.1}, .steps = 10}, ".stepping.first has no effect"},
        Nonsense{"FixedLargestStep", {.stepping = {.largest = 0.1}, .steps = 10}, ".stepping.largest has no effect"},
        Nonsense{"FixedStepLimit", {.stepping = {.limit = 5}, .steps = 10}, ".stepping.limit has no effect"},
        Nonsense{"FixedTolerance", {.tolerance = {.relative = 1e-9}, .steps = 10}, ".tolerance has no effect"},
        Nonsense{"FixedTolerances",
                 {.tolerance = {.absolute_by_component = {1e-9, 1e-9}}, .step_size = 0.1},
                 ".tolerance has no effect with fixed steps"},
        Nonsense{"FixedAdaptive", {.adaptive = AdaptiveMethod::radau, .steps = 10}, ".adaptive has no effect"},
        Nonsense{"FixedRadau", {.radau = {.most_stages = 3}, .steps = 10}, ".radau has no effect"},
        Nonsense{"AdaptiveTableau", {.method = {.tableau = radau_iia(2)}}, ".method has no effect with adaptive steps"},
        Nonsense{"AdaptiveProjection", {.method = {.projection = Projection::none}}, "give .steps or .step_size"},
        Nonsense{"AdaptiveNewton", {.newton = {.limit = 10}}, ".newton has no effect"},
        Nonsense{"ExplicitRadau",
                 {.adaptive = AdaptiveMethod::dop853, .radau = {.most_stages = 5}},
                 ".radau has no effect with an explicit method"},
        Nonsense{"KeepEveryTime", {.keep_every = 2, .output_times = {0.5}}, ".keep_every has no effect"},
        Nonsense{"FixedNewtonNaN", {.steps = 10, .newton = {.relative = nan}}, "Newton"},
        Nonsense{"FixedNewtonNegative", {.steps = 10, .newton = {.absolute = -1.0}}, "Newton"},
        Nonsense{"FixedNoNewton", {.steps = 10, .newton = {.limit = 0}}, "Newton"},
        Nonsense{"FixedStepNaN", {.step_size = nan}, "step size"}),
    [](const auto& one) { return std::string(one.param.name); });

// What is given as it is by default is not given.
TEST(Options, OfTheOtherKindOfStepsMayHaveTheirDefaults) {
  EXPECT_EQ(refusal({.tolerance = {1e-6, 1e-9}, .radau = {.least_stages = 3}, .steps = 10}), "accepted");
  EXPECT_EQ(refusal({.method = {.tableau = radau_iia(3)}, .newton = {.limit = 50}}), "accepted");
}

TEST(Options, InfiniteLargestStepIsNoLimit) { EXPECT_EQ(refusal({.stepping = {.largest = infinity}}), "accepted"); }

std::string misuse(const std::function<void()>& call) {
  try {
    call();
  } catch (const Misuse& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Solution, BeyondItsEndIsMisuse) {
  const Solution run = solve(decay(), {1.0, 0.0}, {.span = {0.0, 1.0}});
  const std::size_t n = run.size();
  EXPECT_NO_THROW((void)run.value("x", n - 1));
  for (const std::size_t i : {n, n + 1, SIZE_MAX}) {
    const std::string number = "no state " + std::to_string(i);
    EXPECT_NE(misuse([&] { (void)run.value("x", i); }).find(number), std::string::npos);
    EXPECT_NE(misuse([&] { (void)run.time(i); }).find(number), std::string::npos);
    EXPECT_NE(misuse([&] { (void)run.state(i); }).find(number), std::string::npos);
    EXPECT_NE(misuse([&] { (void)run.block("v", i); }).find(number), std::string::npos);
    EXPECT_NE(misuse([&] { (void)run.residuals(i); }).find(number), std::string::npos);
  }
  EXPECT_NE(misuse([&] { (void)run.failure(); }).find("ok()"), std::string::npos);
}

struct Impossible {
  void force(auto, auto, auto, auto) const {}
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + 1.0; }
};

TEST(Solution, WithoutAnyStateSaysSo) {
  const Solution run =
      solve(mechanical(Impossible{}, {.q_names = {"x"}, .constraint_names = {"never"}}), {1.0, 0.0}, {});
  ASSERT_FALSE(run.ok());
  ASSERT_EQ(run.size(), 0u);
  EXPECT_NE(misuse([&] { (void)run.final("x"); }).find("kept no state"), std::string::npos);
  EXPECT_NO_THROW((void)run.failure());
}

TEST(Start, AtNoTimeIsMisuse) {
  EXPECT_NE(misuse([] { (void)make_consistent(decay(), nan, Vector{1.0, 0.0}); }).find("time"), std::string::npos);
}

// 1 / 1e-310 overflows: all functions are finite, and the start is not.
struct Feather {
  void mass(auto, auto, auto m) const { m(0, 0) = 1e-310; }
  void force(auto, auto, auto, auto f) const { f[0] = 1.0; }
  void constraint(auto, auto, auto) const {}
};

TEST(Start, ThatIsNotFiniteNamesTheVariable) {
  const Solution run = solve(mechanical(Feather{}, {.q_names = {"x"}}), {1.0, 0.0}, {});
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.failure().kind, FailureKind::not_finite) << run.failure().message();
  EXPECT_EQ(run.failure().where, "x'");
  EXPECT_EQ(run.failure().message().find("no point"), std::string::npos);
}

struct Growth {
  void F(auto y, auto, auto, auto out) const { out[0] = y[0]; }
  void G(auto y, auto z, auto, auto out) const { out[0] = z[0] - 0.0 * y[0]; }
};

// e^t leaves the range of doubles at t = 709.78; squares overflow at half of that.
TEST(Growth, BeyondDoublePrecisionIsSaid) {
  const Equations growth = partitioned(Growth{}, {.y_names = {"y"}, .z_names = {"z"}});
  for (const SolveOptions& options :
       {SolveOptions{.span = {0.0, 1000.0}, .stepping = {.limit = 100000}},
        SolveOptions{.span = {0.0, 1000.0}, .adaptive = AdaptiveMethod::radau, .stepping = {.limit = 100000}},
        SolveOptions{.span = {0.0, 1000.0}, .steps = 1000}}) {
    const Solution run = solve(growth, {1.0, 0.0}, options);
    ASSERT_FALSE(run.ok());
    EXPECT_EQ(run.failure().kind, FailureKind::diverged) << run.failure().message();
    EXPECT_EQ(run.failure().where, "y");
    EXPECT_GT(run.failure().time, 345.0);
    EXPECT_LT(run.failure().time, 730.0);
    EXPECT_NE(run.failure().what_happened.find("double precision"), std::string::npos);
  }
}

}  // namespace
}  // namespace driftless::misuse_test
