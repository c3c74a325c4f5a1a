// Times of rows.
#include "driftless/simulate/output_times.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "driftless/core/memory.h"
#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless::output_times_test {
namespace {

TEST(OutputTimes, EndExactly) {
  EXPECT_EQ(times_every(0.25, {1.0, 1.6}), (Vector{1.0, 1.25, 1.5, 1.6}));
  EXPECT_EQ(times_every(0.5, {1.0, 0.0}), (Vector{1.0, 0.5, 0.0}));
  EXPECT_EQ(times_every(0.1, {0.0, 0.3}).size(), 4U);  // 0.3/0.1 is a little below 3
  EXPECT_EQ(times_of_grid(2, {0.0, 3.0}), (Vector{0.0, 1.5, 3.0}));
}

TEST(OutputTimes, NeedAnInterval) {
  for (const double h : {0.0, -1.0, double(NAN), double(INFINITY)}) EXPECT_THROW(times_every(h, {0.0, 1.0}), Misuse);
  EXPECT_THROW(times_of_grid(0, {0.0, 1.0}), Misuse);
}

// Rows that a model asks for and that fit nowhere are refused before they are made.
TEST(OutputTimes, FitInTheMemory) {
  const TextModel model({"m.mo",
                         "model M Real x; equation der(x) = 1; annotation(experiment(StopTime = 1, Interval = 1e-12)); "
                         "end M;"});
  set_memory_limit(std::size_t{1} << 30);
  EXPECT_THROW(usual_options(model), OutOfMemory);
  set_memory_limit(std::numeric_limits<std::size_t>::max());
}

}  // namespace
}  // namespace driftless::output_times_test
