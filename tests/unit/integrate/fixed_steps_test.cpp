// Fixed steps with all that a run can have: events, output times, the state at any time, true counts.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "driftless/equations/index1_model.h"
#include "driftless/equations/mechanical_model.h"
#include "driftless/integrate/solve.h"

namespace driftless::fixed_steps_test {
namespace {

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};
Equations pendulum() { return mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}); }

// x' = v, v' = -x as index 1 with z = x: x = cos t.
struct Oscillator {
  void F(auto y, auto z, auto, auto out) const {
    out[0] = y[1];
    out[1] = -z[0];
  }
  void G(auto y, auto z, auto, auto out) const { out[0] = z[0] - y[0]; }
};
Equations oscillator() { return partitioned(Oscillator{}, {.y = 2, .z = 1}); }

constexpr double pi = std::numbers::pi;

TEST(FixedSteps, GiveTheStateAtAnyTime) {
  const Solution run =
      solve(oscillator(), {1.0, 0.0, 1.0}, {.span = {0.0, 2.0}, .steps = 40, .output_times = {0.33, 1.0, 1.7777}});
  ASSERT_EQ(run.size(), 5U);
  for (std::size_t i = 0; i < run.size(); ++i) {
    EXPECT_NEAR(run.state(i)[0], std::cos(run.time(i)), 1e-7);
    EXPECT_NEAR(run.state(i)[2], std::cos(run.time(i)), 1e-7);
  }
  EXPECT_EQ(run.time(2), 1.0);
  EXPECT_NEAR(run.at(0.123)[1], -std::sin(0.123), 1e-7);
}

TEST(FixedSteps, FindEventsAndGoOnAtTheNextTimeOfTheGrid) {
  const Event turn{
      .name = "zero", .root = [](double, ConstSpan s) { return s[0]; }, .jump = [](double, Span s) { s[1] = -s[1]; }};
  const Solution run = solve(oscillator(), {1.0, 0.0, 1.0}, {.span = {0.0, 2.0}, .step_size = 0.05, .events = {turn}});
  ASSERT_TRUE(run.ok());
  ASSERT_EQ(run.events().size(), 1U);
  EXPECT_NEAR(run.events()[0].time, 0.5 * pi, 1e-7);
  EXPECT_NEAR(run.final("y[0]"), std::cos(pi - 2.0), 1e-6);  // it goes back the way it came
  bool on_grid = false;
  for (std::size_t i = 0; i < run.size(); ++i) on_grid |= std::abs(run.time(i) - 1.6) < 1e-15;
  EXPECT_TRUE(on_grid);
  EXPECT_EQ(run.statistics().steps, 41U);  // 40, and one is taken in two parts
}

// The wall is hit at the same time as by adaptive steps, whatever family takes them.
TEST(FixedSteps, HitAWallWithEveryFamily) {
  const Event wall{.name = "wall",
                   .root = [](double, ConstSpan s) { return s[0] - 0.5; },
                   .direction = Direction::rising,
                   .terminal = true};
  const double hit = solve(pendulum(), {-1.0, 0.0}, {.span = {0.0, 2.0}, .tolerance = {1e-12, 1e-12}, .events = {wall}})
                         .events()
                         .at(0)
                         .time;
  struct Row {
    Tableau tableau;
    double within;
    MultiplierRule multiplier = MultiplierRule::stages;
  };
  for (const Row& row :
       {Row{radau_iia(3), 1e-8}, Row{lobatto_iiic(3), 1e-7}, Row{gauss(2), 1e-4, MultiplierRule::hidden_constraint},
        Row{radau_ia(3), 1e-4}, Row{hem3(), 1e-5}, Row{hem5(), 1e-9}}) {
    const Solution run = solve(pendulum(), {-1.0, 0.0},
                               {.span = {0.0, 2.0},
                                .steps = 200,
                                .method = {.tableau = row.tableau, .multiplier = row.multiplier},
                                .events = {wall}});
    ASSERT_TRUE(run.ok()) << title_of(row.tableau);
    EXPECT_EQ(run.ended_by(), "wall");
    ASSERT_EQ(run.events().size(), 1U);
    EXPECT_NEAR(run.events()[0].time, hit, row.within) << title_of(row.tableau);
    EXPECT_NEAR(run.events()[0].state[0], 0.5, 1e-12);
  }
}

// The state between steps is found when it is asked for: a run that nobody asks costs what its steps cost.
TEST(FixedSteps, CountSlopesOnlyWhereSomebodyLooksInside) {
  const auto evaluations = [](const SolveOptions& options) {
    return solve(pendulum(), {1.0, 0.0}, options).statistics().evaluations;
  };
  SolveOptions options{.span = {0.0, 1.0}, .steps = 100, .method = {.tableau = hem4()}, .dense = false};
  const std::size_t bare = evaluations(options);
  options.dense = true;
  EXPECT_EQ(evaluations(options), bare);
  options.output_times = {0.5, 0.505};
  EXPECT_EQ(evaluations(options), bare + 2 * 3);  // two steps, slopes at both ends and one inside
}

TEST(FixedSteps, KeepNoPolynomialsOfStepsThatAreNotKept) {
  const Solution run = solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 1.0}, .steps = 100, .keep_every = 10});
  EXPECT_EQ(run.size(), 11U);
  EXPECT_THROW(run.at(0.5), Misuse);
}

}  // namespace
}  // namespace driftless::fixed_steps_test
