// Sparse factorisations against dense ones, and what happens when values change.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <suitesparse/SuiteSparse_config.h>

#include <complex>
#include <stdexcept>

#include "driftless/core/failure.h"
#include "driftless/core/memory.h"
#include "driftless/linalg/dense.h"
#include "driftless/linalg/sparse_cholesky.h"
#include "driftless/linalg/sparse_lu.h"
#include "tests/unit/linalg/random_matrix.h"

namespace driftless::sparse_test {
namespace {

// A sparse matrix with a full diagonal, as pattern and dense entries.
struct Sample {
  Pattern pattern;
  Matrix dense;
};

Sample sample(std::size_t n, unsigned seed, bool lower_only) {
  RandomMatrices random(seed);
  Sample s{.pattern = {}, .dense = Matrix(n, n)};
  std::vector<std::vector<std::uint32_t>> columns(n);
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      const bool there = i == j || random.number() > 0.6;
      if (!there || (lower_only && i < j)) continue;
      columns[j].push_back(i);
      s.dense(i, j) = i == j ? 6.0 + random.number() : random.number();
    }
  s.pattern = pattern_from_columns(n, columns);
  if (lower_only)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < j; ++i) s.dense(i, j) = s.dense(j, i);
  return s;
}

template <class T>
std::vector<T> values_of(const Sample& s, T factor) {
  std::vector<T> values;
  for (std::size_t j = 0; j < s.pattern.cols; ++j)
    for (std::size_t k = s.pattern.begin[j]; k < s.pattern.begin[j + 1]; ++k)
      values.push_back(factor * s.dense(s.pattern.row[k], j));
  return values;
}

std::vector<std::uint32_t> backwards(std::size_t n) {
  std::vector<std::uint32_t> order;
  for (std::size_t i = n; i-- > 0;) order.push_back(static_cast<std::uint32_t>(i));
  return order;
}

TEST(SparseCholesky, SolvesAndFactorisesAgain) {
  const std::size_t n = 20;
  const Sample s = sample(n, 1, true);
  RandomMatrices random(2);
  for (const auto& order : {std::vector<std::uint32_t>{}, backwards(n)}) {
    SparseCholesky cholesky(s.pattern, order);
    for (const double factor : {1.0, 2.5}) {
      ASSERT_TRUE(cholesky.factorise(values_of(s, factor)));
      const Vector x = random.vector(n), y = random.vector(n);
      Vector b = product(s.dense, x), more = product(s.dense, y);
      b.insert(b.end(), more.begin(), more.end());
      cholesky.solve(b, 2);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(b[i], x[i] / factor, 1e-13);
        EXPECT_NEAR(b[n + i], y[i] / factor, 1e-13);
      }
    }
    EXPECT_EQ(cholesky.factorisations(), 2u);
    EXPECT_GT(cholesky.bytes(), cholesky.entries() * sizeof(double));
  }
}

TEST(SparseCholesky, RefusesWhatIsNotPositiveDefinite) {
  const Sample s = sample(6, 3, true);
  SparseCholesky cholesky(s.pattern);
  EXPECT_FALSE(cholesky.factorise(values_of(s, -1.0)));
  EXPECT_TRUE(cholesky.factorise(values_of(s, 1.0)));
  EXPECT_THROW(SparseCholesky(Pattern{.rows = 2, .cols = 1, .begin = {0, 1}, .row = {0}}), Misuse);
}

TEST(SparseLu, SolvesAndRefactorises) {
  const std::size_t n = 25;
  const Sample s = sample(n, 4, false);
  RandomMatrices random(5);
  for (const auto& order : {std::vector<std::uint32_t>{}, backwards(n)}) {
    SparseLu lu(s.pattern, order);
    for (const double factor : {1.0, -0.5, 3.0}) {
      ASSERT_TRUE(lu.factorise(values_of(s, factor)));
      const Vector x = random.vector(n);
      Vector b = product(s.dense, x);
      lu.solve(b);
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i] / factor, 1e-13);
    }
    EXPECT_EQ(lu.factorisations(), 1u);
    EXPECT_EQ(lu.refactorisations(), 2u);
    EXPECT_GT(lu.entries(), 0u);
    EXPECT_GT(lu.bytes(), 0u);
  }
}

// The pivots of the first matrix are zero in the second: they have to be chosen anew.
TEST(SparseLu, PivotsAnewWhenTheOldOnesVanish) {
  const Pattern full = pattern_from_columns(2, {{0, 1}, {0, 1}});
  SparseLu lu(full);
  ASSERT_TRUE(lu.factorise(Vector{2.0, 1.0, 1.0, 3.0}));
  ASSERT_TRUE(lu.factorise(Vector{0.0, 1.0, 1.0, 0.0}));
  Vector b = {3.0, 5.0};
  lu.solve(b);
  EXPECT_DOUBLE_EQ(b[0], 5.0);
  EXPECT_DOUBLE_EQ(b[1], 3.0);
  EXPECT_EQ(lu.factorisations(), 2u);
  EXPECT_FALSE(lu.factorise(Vector{1.0, 1.0, 1.0, 1.0}));
}

TEST(SparseLu, SolvesComplexSystems) {
  using Complex = std::complex<double>;
  const std::size_t n = 15;
  const Sample s = sample(n, 6, false);
  RandomMatrices random(7);
  ComplexSparseLu lu(s.pattern);
  for (const Complex factor : {Complex(1.0, 2.0), Complex(-0.5, 0.1)}) {
    ASSERT_TRUE(lu.factorise(values_of(s, factor)));
    const Vector re = random.vector(n), im = random.vector(n);
    const Vector b_re = product(s.dense, re), b_im = product(s.dense, im);
    std::vector<Complex> b;
    for (std::size_t i = 0; i < n; ++i) b.push_back(factor * Complex(b_re[i], b_im[i]));
    lu.solve(b);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(b[i].real(), re[i], 1e-13);
      EXPECT_NEAR(b[i].imag(), im[i], 1e-13);
    }
  }
}

// Nobody gives the sparse solvers any memory while it lives. Their library is one that ours uses.
class NoRoom {
 public:
  NoRoom() : config_(static_cast<SuiteSparse_config_struct*>(dlsym(RTLD_DEFAULT, "SuiteSparse_config"))) {
    if (config_ == nullptr) throw std::runtime_error("SuiteSparse's configuration is not where it was");
    before_ = *config_;
    config_->malloc_func = [](std::size_t) -> void* { return nullptr; };
    config_->calloc_func = [](std::size_t, std::size_t) -> void* { return nullptr; };
    config_->realloc_func = [](void*, std::size_t) -> void* { return nullptr; };
  }
  ~NoRoom() { *config_ = before_; }
  NoRoom(const NoRoom&) = delete;
  NoRoom& operator=(const NoRoom&) = delete;

 private:
  SuiteSparse_config_struct* config_;
  SuiteSparse_config_struct before_{};
};

template <class Factors>
class Room : public testing::Test {};
using Kinds = testing::Types<SparseCholesky, SparseLu, ComplexSparseLu>;
TYPED_TEST_SUITE(Room, Kinds);

// Factors that do not fit are no singular or indefinite matrix, and no mistake in a pattern.
TYPED_TEST(Room, IsAskedForByName) {
  const bool is_symmetric = std::is_same_v<TypeParam, SparseCholesky>;
  const Sample s = sample(30, 7, is_symmetric);
  const auto values = [&] {
    if constexpr (std::is_same_v<TypeParam, ComplexSparseLu>)
      return values_of(s, std::complex<double>(1.0, 0.5));
    else
      return values_of(s, 1.0);
  }();
  TypeParam factors(s.pattern);
  {
    const NoRoom none;
    EXPECT_THROW(TypeParam{s.pattern}, OutOfMemory);
    EXPECT_THROW(factors.factorise(values), OutOfMemory);
  }
  EXPECT_TRUE(TypeParam(s.pattern).factorise(values));
  EXPECT_TRUE(factors.factorise(values));
}

// Entries are counted by the analysis, so that what does not fit is said before it is tried.
TEST(SparseLu, TellsHowMuchItsFactorsWouldTake) {
  const Sample s = sample(200, 8, false);
  SparseLu lu(s.pattern);
  const std::size_t before = memory_limit();
  set_memory_limit(100'000);
  try {
    lu.factorise(values_of(s, 1.0));
    ADD_FAILURE();
  } catch (const OutOfMemory& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("the factors of a sparse matrix with 200 unknowns would take"),
              std::string::npos)
        << refusal.what();
  }
  set_memory_limit(before);
  EXPECT_TRUE(lu.factorise(values_of(s, 1.0)));
}

}  // namespace
}  // namespace driftless::sparse_test
