#include "driftless/core/scratch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <thread>

#include "driftless/core/matrix.h"
#include "tests/unit/count_allocations.h"

namespace driftless::scratch_test {
namespace {

// Nested, with blocks larger than a chunk (64 KiB) in between.
double busy(int depth) {
  Scratch scratch;
  const auto small = scratch.take<double>(10);
  const auto large = scratch.take<double>(depth % 2 == 0 ? 20000 : 3000);
  std::iota(small.begin(), small.end(), depth);
  std::fill(large.begin(), large.end(), 1.0);
  const double inner = depth > 0 ? busy(depth - 1) : 0.0;
  const auto after = scratch.take<double>(5000);
  double sum = inner;
  for (double x : small) sum += x;
  for (double x : after) sum += x;  // zero, whatever lay there before
  return sum;
}

double expected(int depth) {
  double sum = 0.0;
  for (int d = 0; d <= depth; ++d) sum += 45.0 + 10.0 * d;
  return sum;
}

TEST(ScratchTest, AllocatesNothingAfterTheFirstUse) {
  const std::size_t before = allocation_count;
  EXPECT_EQ(busy(5), expected(5));
  const std::size_t first = allocation_count;
  EXPECT_GT(first, before);  // or the count would not count
  double sum = 0.0;
  for (int i = 0; i < 20; ++i) sum += busy(5);
  EXPECT_EQ(allocation_count, first);
  EXPECT_EQ(sum, 20 * expected(5));
}

TEST(ScratchTest, ReturnsTheSameMemoryAfterwards) {
  double* first = nullptr;
  {
    Scratch scratch;
    first = scratch.take<double>(100).data();
  }
  Scratch scratch;
  EXPECT_EQ(scratch.take<double>(100).data(), first);
  EXPECT_NE(scratch.take<double>(100).data(), first);
}

TEST(ScratchTest, BlocksInUseDoNotOverlapAndAreAligned) {
  Scratch outer;
  const auto a = outer.take<double>(7);
  std::fill(a.begin(), a.end(), 3.0);
  {
    Scratch inner;
    const auto b = inner.take<double>(100000);
    std::fill(b.begin(), b.end(), 4.0);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % 64, 0u);
  }
  const auto c = outer.take<char>(1), d = outer.take<char>(1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(c.data()) % 64, 0u);
  EXPECT_NE(c.data(), d.data());
  for (double x : a) EXPECT_EQ(x, 3.0);
  EXPECT_EQ(outer.take<double>(0).size(), 0u);
}

TEST(ScratchTest, EveryThreadHasItsOwn) {
  Scratch mine;
  const auto here = mine.take<double>(50);
  std::fill(here.begin(), here.end(), 1.0);
  std::thread([] { EXPECT_EQ(busy(2), expected(2)); }).join();
  for (double x : here) EXPECT_EQ(x, 1.0);
}

TEST(MatrixTest, BlocksOfViewsAddressTheOriginal) {
  Matrix a(3, 4);
  const MatrixView block = a.view().block(1, 2, 2, 2);
  block.fill(5.0);
  block(1, 0) = 7.0;
  EXPECT_EQ(a(1, 2), 5.0);
  EXPECT_EQ(a(2, 2), 7.0);
  EXPECT_EQ(a(2, 3), 5.0);
  EXPECT_EQ(a(0, 2), 0.0);
  EXPECT_EQ(a(1, 1), 0.0);
  EXPECT_EQ(block.column(1).data(), &a(1, 3));
  EXPECT_EQ(block.column(1).size(), 2u);
  EXPECT_EQ(Matrix::identity(2)(1, 1), 1.0);
  EXPECT_EQ(Matrix::identity(2)(1, 0), 0.0);
}

}  // namespace
}  // namespace driftless::scratch_test
