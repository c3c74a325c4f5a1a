#include "driftless/core/per_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace driftless::per_thread_test {
namespace {

std::atomic<int> made = 0, alive = 0;

struct Counted {
  Counted() { ++made, ++alive; }
  ~Counted() { --alive; }
  int value = 0;
};

TEST(PerThread, EachHasItsOwnAndTakesItAway) {
  per_thread<Counted>().value = 7;
  for (int k = 0; k < 3; ++k)
    std::thread([] {
      EXPECT_EQ(per_thread<Counted>().value, 0);
      per_thread<Counted>().value = 8;
      EXPECT_EQ(per_thread<Counted>().value, 8);
      EXPECT_EQ(alive, 2);
    }).join();
  EXPECT_EQ(per_thread<Counted>().value, 7);
  EXPECT_EQ(made, 4);
  EXPECT_EQ(alive, 1);
}

int failures_left = 1;

struct Unlucky {
  Unlucky() {
    if (failures_left-- > 0) throw std::bad_alloc();
  }
  int value = 3;
};

TEST(PerThread, MemoryThatEndsIsAnException) {
  EXPECT_THROW(per_thread<Unlucky>(), std::bad_alloc);
  EXPECT_EQ(per_thread<Unlucky>().value, 3);
}

}  // namespace
}  // namespace driftless::per_thread_test
