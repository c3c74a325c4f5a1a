// Factors by dense blocks: against the matrix itself, and against those by single columns.
#include "driftless/linalg/frontal_lu.h"

#include <gtest/gtest.h>

#include <complex>
#include <numeric>

#include "driftless/linalg/linear_system.h"
#include "random_matrix.h"

namespace driftless::frontal_lu_test {

using Complex = std::complex<double>;

// A square grid, each node tied to its neighbours by one entry in each direction.
Pattern grid(std::uint32_t side) {
  std::vector<std::vector<std::uint32_t>> columns(std::size_t{side} * side);
  for (std::uint32_t k = 0; k < columns.size(); ++k) {
    if (k >= side) columns[k].push_back(k - side);
    if (k % side > 0) columns[k].push_back(k - 1);
    columns[k].push_back(k);
    if (k % side + 1 < side) columns[k].push_back(k + 1);
    if (k + side < columns.size()) columns[k].push_back(k + side);
  }
  return pattern_from_columns(columns.size(), columns);
}

template <class T>
T number(RandomMatrices& random) {
  if constexpr (std::is_same_v<T, double>)
    return random.number();
  else
    return {random.number(), random.number()};
}

// Not symmetric; the diagonal is `diagonal`, plus something of size 1.
template <class T>
std::vector<T> values_on(const Pattern& pattern, double diagonal, unsigned seed) {
  RandomMatrices random(seed);
  std::vector<T> values;
  for (std::uint32_t j = 0; j < pattern.cols; ++j)
    for (std::uint32_t e = pattern.begin[j]; e < pattern.begin[j + 1]; ++e)
      values.push_back(number<T>(random) + (pattern.row[e] == j ? diagonal : 0.0));
  return values;
}

template <class T>
std::vector<T> product(const Pattern& pattern, const std::vector<T>& values, const std::vector<T>& x, bool transposed) {
  std::vector<T> y(x.size());
  for (std::uint32_t j = 0; j < pattern.cols; ++j)
    for (std::uint32_t e = pattern.begin[j]; e < pattern.begin[j + 1]; ++e) {
      const std::uint32_t i = pattern.row[e];
      transposed ? y[j] += values[e] * x[i] : y[i] += values[e] * x[j];
    }
  return y;
}

template <class T>
double largest_difference(const std::vector<T>& a, const std::vector<T>& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

template <class T>
class FrontalLuOf : public testing::Test {};
using Kinds = testing::Types<double, Complex>;
TYPED_TEST_SUITE(FrontalLuOf, Kinds);

// Sizes that fill vector registers and leave something over; an order in which fronts of many children arise.
TYPED_TEST(FrontalLuOf, SolvesAsItMultiplies) {
  for (const std::uint32_t side : {1u, 2u, 3u, 7u, 18u, 33u}) {
    const Pattern pattern = grid(side);
    const std::size_t n = pattern.cols;
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(side));
    std::vector<int> rows(pattern.row.begin(), pattern.row.end());
    FrontalLu<TypeParam> lu(rows, std::make_shared<const FrontalPlan>(plan_fronts(pattern, order, order)));
    RandomMatrices random(side);
    for (const unsigned seed : {1u, 2u}) {
      const auto values = values_on<TypeParam>(pattern, 6.0, seed);
      ASSERT_TRUE(lu.factorise(values)) << side;
      std::vector<TypeParam> x(n);
      for (auto& value : x) value = number<TypeParam>(random);
      auto b = product(pattern, values, x, false), c = product(pattern, values, x, true);
      lu.solve(b);
      lu.solve_transposed(c);
      EXPECT_LT(largest_difference(b, x), 1e-14) << side;
      EXPECT_LT(largest_difference(c, x), 1e-14) << side;
    }
  }
}

// The systems choose blocks where there is much to do, and columns for a line.
TYPED_TEST(FrontalLuOf, AgreesWithSingleColumns) {
  const Pattern pattern = grid(40);
  const auto values = values_on<TypeParam>(pattern, 5.0, 3);
  BasicSparseLu<TypeParam> columns(pattern), blocks(pattern, {}, SparsePivots::by_blocks_if_faster);
  ASSERT_TRUE(columns.factorise(values));
  ASSERT_TRUE(blocks.factorise(values));
  EXPECT_FALSE(columns.is_by_blocks());
  EXPECT_TRUE(blocks.is_by_blocks());
  EXPECT_NEAR(columns.determinant().log, blocks.determinant().log, 1e-9);
  EXPECT_EQ(columns.determinant().sign, blocks.determinant().sign);
  const double allowed = std::is_same_v<TypeParam, double> ? 1e-12 : 0.5;  // complex rows are scaled otherwise
  EXPECT_NEAR(columns.pivot_ratio() / blocks.pivot_ratio(), 1.0, allowed);
  RandomMatrices random(1);
  std::vector<TypeParam> a(pattern.cols);
  for (auto& value : a) value = number<TypeParam>(random);
  auto b = a;
  columns.solve(a);
  blocks.solve(b);
  EXPECT_LT(largest_difference(a, b), 1e-13);
}

TEST(FrontalLu, IsNotForLinesAndOneSidedPatterns) {
  std::vector<std::vector<std::uint32_t>> line(2000), one_sided(900);
  for (std::uint32_t k = 0; k < line.size(); ++k) line[k] = {k, (k + 1) % 2000};
  for (std::uint32_t k = 0; k < one_sided.size(); ++k)
    one_sided[k] = {k, (k + 1) % 900, (k * 17 + 5) % 900, (k * 311 + 77) % 900};
  for (auto& columns : {line, one_sided}) {
    auto sorted = columns;
    for (auto& column : sorted) {
      std::ranges::sort(column);
      column.erase(std::unique(column.begin(), column.end()), column.end());
    }
    const Pattern pattern = pattern_from_columns(sorted.size(), sorted);
    SparseLu lu(pattern, {}, SparsePivots::by_blocks_if_faster);
    ASSERT_TRUE(lu.factorise(values_on<double>(pattern, 5.0, 3)));
    EXPECT_FALSE(lu.is_by_blocks());
  }
}

// Rows that have to change places: single columns do that, and are right.
TEST(FrontalLu, LeavesSmallPivotsToSingleColumns) {
  const Pattern pattern = grid(40);
  SparseLu lu(pattern, {}, SparsePivots::by_blocks_if_faster);
  auto values = values_on<double>(pattern, 5.0, 3);
  ASSERT_TRUE(lu.factorise(values));
  ASSERT_TRUE(lu.is_by_blocks());
  for (std::uint32_t j = 0; j < pattern.cols; ++j)
    for (std::uint32_t e = pattern.begin[j]; e < pattern.begin[j + 1]; ++e)
      if (pattern.row[e] == j) values[e] = 1e-5;
  ASSERT_TRUE(lu.factorise(values));
  EXPECT_FALSE(lu.is_by_blocks());
  RandomMatrices random(4);
  const Vector x = random.vector(pattern.cols);
  Vector b = product(pattern, values, x, false);
  lu.solve(b);
  EXPECT_LT(largest_difference(b, x), 1e-8);
  std::ranges::fill(values, 0.0);
  EXPECT_FALSE(lu.factorise(values));
}

TEST(FrontalLu, RefusesWhatIsNotFinite) {
  const Pattern pattern = grid(5);
  std::vector<int> order(pattern.cols), rows(pattern.row.begin(), pattern.row.end());
  std::iota(order.begin(), order.end(), 0);
  FrontalLu<double> lu(rows, std::make_shared<const FrontalPlan>(plan_fronts(pattern, order, order)));
  auto values = values_on<double>(pattern, 5.0, 3);
  EXPECT_TRUE(lu.factorise(values));
  for (const double wrong : {std::nan(""), HUGE_VAL}) {
    auto spoilt = values;
    spoilt[7] = wrong;
    EXPECT_FALSE(lu.factorise(spoilt));
  }
}

// The zeros on the diagonal are filled by the unknowns before them.
TEST(FrontalLu, EliminatesSaddlePointsInPairs) {
  const std::uint32_t side = 24, n = side * side;
  const Pattern nodes = grid(side);
  std::vector<std::vector<std::uint32_t>> columns(2 * n);
  for (std::uint32_t j = 0; j < n; ++j) {
    columns[j] = {nodes.row.begin() + nodes.begin[j], nodes.row.begin() + nodes.begin[j + 1]};
    columns[j].push_back(n + j);
    columns[n + j] = {j};
  }
  const Pattern pattern = pattern_from_columns(2 * n, columns);
  std::vector<int> order;
  for (std::uint32_t j = 0; j < n; ++j) order.insert(order.end(), {static_cast<int>(j), static_cast<int>(n + j)});
  std::vector<int> rows(pattern.row.begin(), pattern.row.end());
  FrontalLu<double> lu(rows, std::make_shared<const FrontalPlan>(plan_fronts(pattern, order, order)));
  auto values = values_on<double>(pattern, 0.0, 5);
  for (double& value : values) value = value < 0.0 ? value - 0.5 : value + 0.5;
  ASSERT_TRUE(lu.factorise(values));
  RandomMatrices random(6);
  const Vector x = random.vector(2 * n);
  Vector b = product(pattern, values, x, false);
  lu.solve(b);
  EXPECT_LT(largest_difference(b, x), 1e-10);
}

}  // namespace driftless::frontal_lu_test
