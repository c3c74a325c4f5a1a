// Relations of time alone: what a long search found is kept while the values that it read stay as they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/modelfile/compiled/time_searches.h"
#include "text_model.h"

namespace driftless::testing_models::time_events_test {
namespace {

// Interval arithmetic cannot tell that the first relation never changes: every search has to look everywhere.
std::string with_ticks(const std::string& relation, bool ticks_first) {
  const std::string own = "when " + relation + " then n = pre(n) + 1; end when;\n";
  const std::string ticks = "when sample(0, 0.5) then m = pre(m) + 1; end when;\n";
  return "model M\n  Real x(start = 0, fixed = true);\n"
         "  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);\nequation\n  der(x) = 1;\n" +
         (ticks_first ? ticks + own : own + ticks) + "end M;";
}

struct Events {
  std::vector<double> times;
  std::size_t looks = 0;
};

// All events of time up to 3, with what was found before or with a new search at each.
Events events_of(const std::string& text, bool remember) {
  const CompiledModel model = compiled(flat(text));
  const ModelStart start = model.start();
  TimeSearches kept;
  Events events;
  Vector held = start.held;
  double t = 0.0;
  for (;;) {
    TimeSearches fresh;
    TimeSearches& searches = remember ? kept : fresh;
    const std::size_t before = searches.looks();
    const auto due = model.next_due(t, 3.0, held, searches);
    events.looks += searches.looks() - before;
    if (!due) return events;
    events.times.push_back(t = due->time);
    held = model.handle(t, start.state, held, due->events).held;
  }
}

constexpr const char* touching = "sin(7*time)^2 + cos(7*time)^2 > 1.0000001";

TEST(TimeEvents, ALongSearchIsNotRepeatedAtEveryEvent) {
  for (const bool ticks_first : {false, true}) {
    const Events kept = events_of(with_ticks(touching, ticks_first), true);
    const Events fresh = events_of(with_ticks(touching, ticks_first), false);
    EXPECT_GE(kept.times.size(), 5u);
    EXPECT_EQ(kept.times, fresh.times);
    EXPECT_GT(fresh.looks, 5 * 300'000u);
    EXPECT_LT(kept.looks, 1'000'000u) << "ticks first: " << ticks_first;
  }
}

// The same, with a change at 2.0501: it is found once, and met exactly between the ticks around it.
TEST(TimeEvents, AKeptChangeComesWhenItIsDue) {
  const std::string relation = "sin(7*time)^2 + cos(7*time)^2 > 1.0000001 - 1e-3*max(0, time - 2.05)";
  for (const bool ticks_first : {false, true}) {
    const Events kept = events_of(with_ticks(relation, ticks_first), true);
    ASSERT_GE(kept.times.size(), 6u);
    EXPECT_EQ(kept.times[3], 2.0);
    EXPECT_NEAR(kept.times[4], 2.0501, 1e-12);
    EXPECT_EQ(kept.times[5], 2.5);
    EXPECT_GT(kept.looks, 200'000u);
  }
}

// What the relation reads changes at the tick at 1.5: what was found before says nothing any more.
TEST(TimeEvents, WhatARelationReadsEndsWhatWasFound) {
  const std::string relation =
      "sin(7*time)^2 + cos(7*time)^2 > 1.0000001 - 1e-3*max(0, time - (if m >= 4 then 2.2 else 5))";
  for (const bool ticks_first : {false, true}) {
    const Events kept = events_of(with_ticks(relation, ticks_first), true);
    const auto found = std::ranges::find_if(kept.times, [](double t) { return t > 2.0; });
    ASSERT_NE(found, kept.times.end());
    EXPECT_NEAR(*found, 2.2001, 1e-12);
    EXPECT_GT(kept.looks, 500'000u);
  }
}

// A change behind times that intervals cannot judge is seen, though it is taken back after 0.05.
TEST(TimeEvents, ASearchThatIsTooLongStillLooksEverywhere) {
  const std::string relation = "sin(7*time)^2 + cos(7*time)^2 > 1.0000001 - 1e-2*max(0, 6.25e-4 - (time - 2.045)^2)";
  const Events kept = events_of(with_ticks(relation, false), true);
  std::vector<double> own;
  for (const double t : kept.times)
    if (std::abs(4.0 * t - std::round(4.0 * t)) > 1e-3) own.push_back(t);
  ASSERT_EQ(own.size(), 2u);
  EXPECT_NEAR(own[0], 2.045 - std::sqrt(6.15e-4), 1e-12);
  EXPECT_NEAR(own[1], 2.045 + std::sqrt(6.15e-4), 1e-12);
  EXPECT_GT(kept.looks, 200'000u);
}

}  // namespace
}  // namespace driftless::testing_models::time_events_test
