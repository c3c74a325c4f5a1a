#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/driftless.h"

namespace driftless::events_test {
namespace {

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
  double energy(auto q, auto v, double) const { return 0.5 * (v[0] * v[0] + v[1] * v[1]) + q[1]; }
};

Equations pendulum() { return mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}); }

// y = t^k as the solution of y' = k t^(k-1) with a dummy algebraic part, so that event functions of time are exact.
struct Clock {
  void F(auto, auto, auto, auto out) const { out[0] = 1.0; }
  void G(auto y, auto z, auto, auto out) const { out[0] = z[0] - y[0]; }
};
Equations clock_equations() { return partitioned(Clock{}, {.y_names = {"time"}, .z_names = {"copy"}}); }

const Tolerance tight{1e-10, 1e-10};

// The pendulum released at the left side swings through x = 0.5, hits a wall there and bounces back without loss.
TEST(Events, PendulumHitsAWall) {
  const Event wall{.name = "wall",
                   .root = [](double, ConstSpan s) { return s[0] - 0.5; },
                   .direction = Direction::rising,
                   .jump =
                       [](double, Span s) {
                         s[2] = -s[2];
                         s[3] = -s[3];
                       }};
  const Solution solution = solve(pendulum(), {-1.0, 0.0}, {.span = {0.0, 20.0}, .tolerance = tight, .events = {wall}});
  ASSERT_TRUE(solution.ok()) << solution.failure().message();
  ASSERT_GE(solution.events().size(), 4u);
  for (const auto& event : solution.events()) EXPECT_NEAR(event.state[0], 0.5, 1e-11);
  double rightmost = -1.0;
  for (std::size_t i = 0; i < solution.size(); ++i) rightmost = std::max(rightmost, solution.state(i)[0]);
  EXPECT_LT(rightmost, 0.5 + 1e-10);
  // The dense output after a bounce is that of the new direction.
  for (const auto& event : solution.events()) {
    if (event.time + 1e-3 < 20.0) {
      EXPECT_LT(solution.at(event.time + 1e-3)[0], 0.5);
    }
  }
  // From the wall and back to it takes the same time every time.
  const auto& e = solution.events();
  EXPECT_NEAR(e[2].time - e[1].time, e[1].time - e[0].time, 1e-7);
  EXPECT_LT(*solution.certificate().energy_change, 1e-8);
  EXPECT_LT(solution.certificate().velocity, 1e-13);
}

// The same by names, which is the same to the last bit; whoever looks on may use them, too.
TEST(Events, StatesHaveNames) {
  const auto run = [](const Event& wall, std::function<void(double, NamedState)> observer) {
    return solve(pendulum(), {-1.0, 0.0},
                 {.span = {0.0, 20.0}, .tolerance = tight, .events = {wall}, .observer = std::move(observer)});
  };
  std::vector<double> seen;
  const Solution named = run({.name = "wall",
                              .root = [](double, NamedState s) { return s["x"] - 0.5; },
                              .direction = Direction::rising,
                              .jump = [](double, ChangingState s) { s["x'"] *= -0.8, s["y'"] *= -0.8; }},
                             [&](double, NamedState s) { seen.push_back(s["y"] - s[1]); });
  const Solution counted = run({.name = "wall",
                                .root = [](double, ConstSpan s) { return s[0] - 0.5; },
                                .direction = Direction::rising,
                                .jump = [](double, Span s) { s[2] *= -0.8, s[3] *= -0.8; }},
                               {});
  ASSERT_TRUE(named.ok()) << named.failure().message();
  ASSERT_GE(named.events().size(), 2u);
  ASSERT_EQ(named.events().size(), counted.events().size());
  for (std::size_t i = 0; i < named.events().size(); ++i) {
    EXPECT_EQ(named.events()[i].time, counted.events()[i].time);
    EXPECT_EQ(named.value("x'", named.events()[i]), counted.events()[i].state[2]);
  }
  EXPECT_EQ(named.final("y"), counted.final("y"));
  EXPECT_GT(seen.size(), named.events().size());
  EXPECT_EQ(*std::ranges::max_element(seen), 0.0);
  const Event misspelt{.name = "wall", .root = [](double, NamedState s) { return s["X"]; }};
  EXPECT_THROW((void)run(misspelt, {}), Misuse);
}

static_assert(!std::is_constructible_v<Solution, Equations, ConsistentStart>, "only a run makes a solution");

TEST(Events, TerminalEventEndsTheRunAtTheRoot) {
  const Event bottom{.name = "bottom", .root = [](double, ConstSpan s) { return s[0]; }, .terminal = true};
  const Solution solution =
      solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 20.0}, .tolerance = tight, .events = {bottom}});
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(*solution.ended_by(), "bottom");
  // A quarter of the period 4 K(1/sqrt 2) = 7.41629870920548767
  EXPECT_NEAR(solution.time(solution.size() - 1), 7.41629870920548767 / 4.0, 1e-9);
  EXPECT_NEAR(solution.final("x"), 0.0, 1e-12);
}

// A joint locks when the pendulum passes the bottom: from there on a point on the rod is held too, and the pendulum
// swings about it. The constraint set changes, the state goes on.
struct ShortPendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + (q[1] + 0.5) * (q[1] + 0.5) - 0.25; }
};

TEST(Events, LockingJointChangesTheConstraints) {
  const Event bottom{.name = "bottom", .root = [](double, ConstSpan s) { return s[0]; }, .terminal = true};
  const Solution before = solve(pendulum(), {0.6, -0.8}, {.span = {0.0, 20.0}, .tolerance = tight, .events = {bottom}});
  ASSERT_TRUE(before.ended_by());
  const Equations locked = mechanical(ShortPendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"short rod"}});
  const auto last = before.state(before.size() - 1);
  const double t = before.time(before.size() - 1);
  const Event rest{.name = "top", .root = [](double, ConstSpan s) { return s[2]; }, .terminal = true};
  const Solution after =
      solve(locked, last.subspan(0, 4), {.span = {t, t + 20.0}, .tolerance = tight, .events = {rest}});
  ASSERT_TRUE(after.ok()) << after.failure().message();
  EXPECT_LT(after.start().largest_move, 1e-9);  // the state at the bottom suits both constraints
  // Energy: it rises to the height it came from, y = -0.8.
  EXPECT_NEAR(after.final("y"), -0.8, 1e-8);
}

TEST(Events, RootThatOnlyTouchesZero) {
  const Event touch{.name = "touch", .root = [](double, ConstSpan s) { return (s[0] - 0.37) * (s[0] - 0.37); }};
  const Solution solution = solve(clock_equations(), {0.0, 0.0}, {.span = {0.0, 1.0}, .events = {touch}});
  ASSERT_EQ(solution.events().size(), 1u);
  EXPECT_NEAR(solution.events()[0].time, 0.37, 1e-6);
  const Event miss{.name = "miss", .root = [](double, ConstSpan s) { return (s[0] - 0.37) * (s[0] - 0.37) + 1e-6; }};
  EXPECT_TRUE(solve(clock_equations(), {0.0, 0.0}, {.span = {0.0, 1.0}, .events = {miss}}).events().empty());
  const Event rising{.name = "rising", .root = touch.root, .direction = Direction::rising};
  EXPECT_TRUE(solve(clock_equations(), {0.0, 0.0}, {.span = {0.0, 1.0}, .events = {rising}}).events().empty());
}

TEST(Events, RootsCloserThanAStep) {
  const Event pair{.name = "pair", .root = [](double, ConstSpan s) { return (s[0] - 0.5) * (s[0] - 0.5001); }};
  const Event other{.name = "other", .root = [](double, ConstSpan s) { return s[0] - 0.50005; }};
  const Solution solution = solve(clock_equations(), {0.0, 0.0}, {.span = {0.0, 1.0}, .events = {pair, other}});
  ASSERT_EQ(solution.events().size(), 3u);
  EXPECT_NEAR(solution.events()[0].time, 0.5, 1e-12);
  EXPECT_NEAR(solution.events()[1].time, 0.50005, 1e-12);
  EXPECT_NEAR(solution.events()[2].time, 0.5001, 1e-12);
  EXPECT_EQ(solution.events()[1].event, 1u);
}

TEST(Events, DirectionsAreTold) {
  auto count = [](Direction direction) {
    const Event wave{
        .name = "wave", .root = [](double, ConstSpan s) { return std::sin(6.0 * s[0]); }, .direction = direction};
    return solve(clock_equations(), {0.1, 0.1}, {.span = {0.0, 3.0}, .events = {wave}}).events().size();
  };
  // sin(6 y) on y in (0.1, 3.1]: zeros at k pi / 6, k = 1..5, falling at odd k
  EXPECT_EQ(count(Direction::any), 5u);
  EXPECT_EQ(count(Direction::falling), 3u);
  EXPECT_EQ(count(Direction::rising), 2u);
}

TEST(Events, AnEventAtTheStartHasToLeaveZeroFirst) {
  const Event at_start{.name = "start", .root = [](double, ConstSpan s) { return s[0]; }, .terminal = true};
  const Solution solution =
      solve(pendulum(), {0.0, -1.0, 1.2, 0.0}, {.span = {0.0, 20.0}, .tolerance = tight, .events = {at_start}});
  ASSERT_TRUE(solution.ended_by());
  EXPECT_GT(solution.time(solution.size() - 1), 1.0);  // the next passage, half a period later
  EXPECT_NEAR(solution.final("x"), 0.0, 1e-12);
}

// A ball that loses half its speed at each bounce comes to rest in finite time: the run must not go on forever.
struct Ball {
  void force(auto, auto, auto, auto f) const { f[0] = -1.0; }
  void constraint(auto, auto, auto) const {}
};

TEST(Events, AccumulatingEventsEndWithAnExplanation) {
  const Equations ball = mechanical(Ball{}, {.q_names = {"height"}});
  const Event floor{.name = "floor",
                    .root = [](double, ConstSpan s) { return s[0]; },
                    .direction = Direction::falling,
                    .jump = [](double, Span s) { s[1] *= -0.5; }};
  const Solution solution = solve(ball, {1.0, 0.0}, {.span = {0.0, 10.0}, .events = {floor}, .event_limit = 500});
  // t = sqrt 2 (1 + 2 (1/2 + 1/4 + ...)) = 3 sqrt 2: the bounces accumulate there, and the run says so instead of
  // falling on.
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.failure().where, "floor") << solution.failure().message();
  EXPECT_NEAR(solution.failure().time, 3.0 * std::sqrt(2.0), 1e-6);
  ASSERT_GE(solution.events().size(), 8u);
  EXPECT_NEAR(solution.events()[0].time, std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(solution.events()[1].time, 2.0 * std::sqrt(2.0), 1e-9);
}

Solution clock_run(const Event& event, double end = 3.0) {
  return solve(clock_equations(), {0.0, 0.0}, {.span = {0.0, end}, .tolerance = tight, .events = {event}});
}

// A root before the numbers end is found; a function that ends without one is a failure, never a run that is ok.
TEST(Events, FunctionThatIsNotANumber) {
  const Event low{
      .name = "low", .root = [](double t, ConstSpan) { return std::sqrt(1.0 - t) - 0.1; }, .terminal = true};
  const Solution found = clock_run(low);
  ASSERT_TRUE(found.ok()) << found.failure().message();
  ASSERT_TRUE(found.ended_by());
  EXPECT_NEAR(found.time(found.size() - 1), 0.99, 1e-12);

  const Event never{.name = "never", .root = [](double t, ConstSpan) { return std::sqrt(1.0 - t) + 0.1; }};
  const Solution lost = clock_run(never);
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.failure().kind, FailureKind::not_finite);
  EXPECT_EQ(lost.failure().where, "never");
  EXPECT_GE(lost.failure().time, 1.0);
  EXPECT_TRUE(clock_run(never, 0.9).ok());

  const Event always{.name = "always", .root = [](double, ConstSpan) { return std::nan(""); }, .terminal = true};
  EXPECT_EQ(clock_run(always).failure().time, 0.0);
}

TEST(Events, WhatComesBeforeTheEndOfNumbersComesFirst) {
  const Event stop{.name = "stop", .root = [](double t, ConstSpan) { return t - 0.7; }, .terminal = true};
  const Event narrow{.name = "narrow", .root = [](double t, ConstSpan) { return std::sqrt(1.0 - t) + 0.1; }};
  const Solution run =
      solve(clock_equations(), {0.0, 0.0}, {.span = {0.0, 3.0}, .tolerance = tight, .events = {narrow, stop}});
  ASSERT_TRUE(run.ok()) << run.failure().message();
  EXPECT_EQ(*run.ended_by(), "stop");
}

// log(t - 1) + 1 is not defined until t = 1, and 0 at t = 1 + 1/e.
TEST(Events, SignWhereItIsUndefined) {
  Event late{.name = "late",
             .root = [](double t, ConstSpan) { return -1.0 - std::log(t - 1.0); },
             .terminal = true,
             .where_undefined = 1.0};
  const Solution run = clock_run(late);
  ASSERT_TRUE(run.ok()) << run.failure().message();
  EXPECT_NEAR(run.time(run.size() - 1), 1.0 + std::exp(-1.0), 1e-12);
  late.where_undefined = -1.0;  // then it changes its sign where it becomes a number
  const Solution early = clock_run(late);
  EXPECT_NEAR(early.time(early.size() - 1), 1.0, 1e-12);
  late.where_undefined = 0.0;
  EXPECT_THROW(clock_run(late), Misuse);
}

}  // namespace
}  // namespace driftless::events_test
