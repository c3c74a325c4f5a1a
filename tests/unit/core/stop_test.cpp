#include "driftless/core/stop.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "driftless/core/memory.h"
#include "driftless/core/phase.h"

namespace driftless::stop_test {
namespace {

TEST(Stop, NobodyStopsWorkWithoutAScope) { EXPECT_NO_THROW(check_stop()); }

TEST(Stop, EveryScopeCountsAsLongAsItLives) {
  std::stop_source outer, inner;
  const StopScope first(outer.get_token());
  {
    const StopScope second(inner.get_token());
    EXPECT_NO_THROW(check_stop());
    inner.request_stop();
    EXPECT_THROW(check_stop(), Stopped);
  }
  EXPECT_NO_THROW(check_stop());
  const StopScope third({});
  outer.request_stop();
  EXPECT_THROW(check_stop(), Stopped);
}

TEST(Stop, AThreadThatWorksForAnotherIsSubjectToIt) {
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  bool alone = false, joined = false;
  const StopScope* const caller = StopScope::current();
  std::thread([&] {
    try {
      check_stop();
      alone = true;
      const StopScope here(caller, {});
      check_stop();
    } catch (const Stopped&) {
      joined = true;
    }
  }).join();
  EXPECT_TRUE(alone);
  EXPECT_TRUE(joined);
}

TEST(Stop, WhatAStopLeavesToDoIsNotStopped) {
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  {
    const Undisturbed undisturbed;
    EXPECT_NO_THROW(check_stop());
  }
  EXPECT_THROW(check_stop(), Stopped);
}

TEST(Stop, ASparseCheckLooksOnceInSoManyRounds) {
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  SparseCheck<8> check;
  for (int k = 0; k < 7; ++k) EXPECT_NO_THROW(check()) << k;
  EXPECT_THROW(check(), Stopped);
}

class Heard final : public PhaseListener {
 public:
  Heard() { Phase::tell(this); }
  ~Heard() override { Phase::tell(nullptr); }
  void enter(const char* phase) override { all.emplace_back(phase == nullptr ? "-" : phase); }
  std::vector<std::string> all;
};

TEST(Phase, IsHeardAndLeftAgain) {
  Heard heard;
  {
    const Phase reading("reading");
    const Phase structure("structure");
  }
  EXPECT_EQ(heard.all, (std::vector<std::string>{"reading", "structure", "reading", "-"}));
}

TEST(Phase, ThatAnExceptionLeavesStaysTheLast) {
  Heard heard;
  try {
    const Phase reading("reading");
    throw Stopped();
  } catch (const Stopped&) {
  }
  EXPECT_EQ(heard.all, std::vector<std::string>{"reading"});
}

TEST(Memory, ARefusalSaysWhatNeedsHowMuch) {
  set_memory_limit(1'000'000'000);
  EXPECT_NO_THROW(require_memory(1e9, "rows"));
  EXPECT_NO_THROW(require_dense(10'000, 1.0, "steps"));
  try {
    require_dense(20'000, 2.0, "implicit steps");
    ADD_FAILURE();
  } catch (const std::bad_alloc& refusal) {
    EXPECT_STREQ(refusal.what(),
                 "implicit steps (20000 unknowns, dense matrices) would take 6.4 GB of memory, and the limit is 1 GB; "
                 "matrices are sparse where each equation contains few unknowns: what many of them share, a mean or a "
                 "sum, can be an unknown of its own");
  }
  set_memory_limit(static_cast<std::size_t>(-1));
}

// Nobody has to set a limit: no program asks for more than the machine has.
TEST(Memory, IsLimitedByTheMachineToBeginWith) {
  const std::size_t before = memory_limit();
  set_memory_limit(0);
  EXPECT_EQ(memory_limit(), static_cast<std::size_t>(0.75 * machine_memory()));
  EXPECT_THROW(require_memory(machine_memory(), "rows"), OutOfMemory);
  set_memory_limit(before);
}

TEST(Memory, SizesAreReadable) {
  EXPECT_EQ(bytes_text(12.0), "12 bytes");
  EXPECT_EQ(bytes_text(1500.0), "1.5 kB");
  EXPECT_EQ(bytes_text(2.5e9), "2.5 GB");
  EXPECT_EQ(bytes_text(8e18), "8e+03 PB");
}

}  // namespace
}  // namespace driftless::stop_test
