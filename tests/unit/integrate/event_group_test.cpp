// Many event functions that are computed together: the same roots as one by one, for the price of a few.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/integrate/event_watch.h"

namespace driftless::event_group_test {
namespace {

constexpr std::size_t count = 60;

// x - level_k, and sin(x / 10) - level_k for the odd ones, which touches or crosses twice.
double root_value(std::size_t k, double x) {
  const double level = 0.05 + 0.1 * static_cast<double>(k);
  return k % 2 == 0 ? x - level : std::sin(x / 10.0) - 0.17 * level;
}

struct Calls {
  std::size_t groups = 0, single = 0, exact = 0;
};

std::vector<Event> events(Calls& calls, bool together) {
  auto group = std::make_shared<RootGroup>();
  group->size = count;
  group->values = [&calls](double, ConstSpan state, Span values) {
    ++calls.groups;
    for (std::size_t k = 0; k < count; ++k) values[k] = root_value(k, state[0]);
  };
  std::vector<Event> all;
  for (std::size_t k = 0; k < count; ++k) {
    Event event{.name = "e", .root = [&calls, k](double, NamedState state) {
                  ++calls.single;
                  return root_value(k, state[0]);
                }};
    if (together) {
      event.group = group;
      event.place = k;
    }
    all.push_back(std::move(event));
  }
  return all;
}

std::vector<EventRecord> roots_of_a_run(Calls& calls, bool together) {
  const std::vector<Event> all = events(calls, together);
  const Names names{"x"};
  EventWatch watch(all, names);
  const auto at = [&](double t, Span x) {
    ++calls.exact;
    x[0] = t;
  };
  const auto nearby = [](double t, Span x) { x[0] = t * (1.0 + 1e-6 * std::sin(50.0 * t)); };
  watch.restart(0.0, Vector{0.0});
  std::vector<EventRecord> found;
  for (int step = 0; step < 80; ++step)
    for (EventRecord& record : watch.find(0.25 * step, 0.25 * (step + 1), at,
                                          together ? EventWatch::Nearby{nearby, false} : EventWatch::Nearby{{}, false}))
      found.push_back(std::move(record));
  return found;
}

TEST(EventGroup, FindsTheSameRootsWithLessWork) {
  Calls one_by_one, together;
  const auto expected = roots_of_a_run(one_by_one, false), found = roots_of_a_run(together, true);
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_GT(found.size(), count);
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].event, expected[k].event) << k;
    EXPECT_EQ(found[k].time, expected[k].time) << k;
  }
  EXPECT_LE(together.groups, 2 * 12 * 80 + 1u);  // twice a sample, whatever the number of functions
  EXPECT_LT(together.single, one_by_one.single / 4);
}

// Far from all roots no state is made exact.
TEST(EventGroup, QuietFunctionsAskForNoExactState) {
  Calls calls;
  const std::vector<Event> all = events(calls, true);
  const Names names{"x"};
  EventWatch watch(all, names);
  watch.restart(0.0, Vector{100.0});
  const auto at = [&](double, Span x) {
    ++calls.exact;
    x[0] = 100.0;
  };
  const auto nearby = [](double t, Span x) { x[0] = 100.0 + 0.1 * t; };
  EXPECT_TRUE(watch.find(0.0, 1.0, at, {nearby, false}).empty());
  EXPECT_EQ(calls.exact, 0u);
  EXPECT_EQ(calls.single, 0u);
}

// Functions that end the run: nothing behind the first root is asked for, and exact states only around it.
TEST(EventGroup, NothingBehindTheFirstRootThatEndsTheRun) {
  for (const bool rough : {false, true}) {
    Calls calls;
    std::vector<Event> all = events(calls, true);
    for (Event& event : all) {
      event.terminal = true;
      event.reads_multipliers = false;
    }
    const Names names{"x"};
    EventWatch watch(all, names);
    watch.restart(0.0, Vector{0.0});
    const auto at = [&](double t, Span x) {
      ++calls.exact;
      x[0] = t;
    };
    const auto nearby = [](double t, Span x) { x[0] = t * (1.0 + 1e-6 * std::sin(50.0 * t)); };
    const auto found = watch.find(0.0, 20.0, at, {nearby, rough});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].event, 0u);
    EXPECT_DOUBLE_EQ(found[0].time, 0.05);
    EXPECT_GT(calls.exact, 3u);
    EXPECT_LT(calls.exact, 60u);  // twelve samples and some ten values of each of twenty roots would be two hundred
  }
}

// A guess of the multipliers is no reason to leave alone what reads them.
TEST(EventGroup, RoughMultipliersSayNothingAboutWhatReadsThem) {
  Calls calls;
  const std::vector<Event> all = events(calls, true);
  const Names names{"x"};
  const auto at = [&](double t, Span x) {
    ++calls.exact;
    x[0] = t;
  };
  const auto wrong = [](double, Span x) { x[0] = 100.0; };
  EventWatch watch(all, names);
  watch.restart(0.0, Vector{0.0});
  EXPECT_EQ(watch.find(0.0, 0.5, at, {wrong, true}).front().time, 0.05);
}

}  // namespace
}  // namespace driftless::event_group_test
