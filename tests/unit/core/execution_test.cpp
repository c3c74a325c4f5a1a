#include "driftless/core/execution.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace driftless::execution_test {
namespace {

TEST(Execution, EveryIndexOnceWhateverTheNumberOfThreads) {
  for (unsigned threads : {0u, 1u, 2u, 7u}) {
    std::vector<std::atomic<int>> seen(100);
    EXPECT_TRUE(for_each_index({.threads = threads}, "test", seen.size(), [&](std::size_t i) { ++seen[i]; }));
    for (const auto& count : seen) EXPECT_EQ(count, 1) << threads;
  }
  EXPECT_TRUE(for_each_index({}, "nothing", 0, [](std::size_t) { FAIL(); }));
}

TEST(Execution, ProgressCountsToTheEnd) {
  std::vector<std::size_t> heard;
  const Execution execution{.threads = 3, .progress = [&](const Progress& p) {
                              EXPECT_EQ(p.what, "counting");
                              EXPECT_EQ(p.total, 20u);
                              heard.push_back(p.done);
                            }};
  for_each_index(execution, "counting", 20, [](std::size_t) {});
  ASSERT_EQ(heard.size(), 20u);
  for (std::size_t i = 0; i < heard.size(); ++i) EXPECT_EQ(heard[i], i + 1);
}

TEST(Execution, StopEndsEarly) {
  std::stop_source stop;
  std::atomic<int> calls = 0;
  const bool done = for_each_index({.threads = 2, .stop = stop.get_token()}, "test", 1000, [&](std::size_t) {
    if (++calls == 5) stop.request_stop();
  });
  EXPECT_FALSE(done);
  EXPECT_LT(calls, 20);
}

TEST(Execution, StopIsSeenInsideABody) {
  std::stop_source stop;
  std::atomic<int> ended = 0;
  const bool done = for_each_index({.threads = 2, .stop = stop.get_token()}, "test", 4, [&](std::size_t) {
    stop.request_stop();
    check_stop();
    ++ended;
  });
  EXPECT_FALSE(done);
  EXPECT_EQ(ended, 0);
}

TEST(Execution, WhoStopsTheCallerStopsItsThreads) {
  std::stop_source stop;
  const StopScope scope(stop.get_token());
  std::atomic<int> ended = 0;
  EXPECT_FALSE(for_each_index({.threads = 3}, "test", 9, [&](std::size_t) {
    stop.request_stop();
    check_stop();
    ++ended;
  }));
  EXPECT_EQ(ended, 0);
}

TEST(Execution, ExceptionsOfTheBodyArrive) {
  try {
    for_each_index({.threads = 4}, "test", 50, [](std::size_t i) {
      if (i % 10 == 7) throw Misuse("index " + std::to_string(i));
    });
    FAIL();
  } catch (const Misuse& error) {
    EXPECT_STREQ(error.what(), "index 7");
  }
}

}  // namespace
}  // namespace driftless::execution_test
