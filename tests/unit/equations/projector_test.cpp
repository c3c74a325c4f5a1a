// Projectors by blocks: bases, the projector form of A x' = g, and large ones without a dense matrix.
#include "driftless/equations/projector.h"

#include <gtest/gtest.h>

#include "driftless/core/failure.h"
#include "driftless/equations/index1.h"
#include "driftless/linalg/dense.h"

namespace driftless::projector_test {
namespace {

double difference(const Matrix& a, const Matrix& b) {
  double worst = 0.0;
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i) worst = std::max(worst, std::abs(a(i, j) - b(i, j)));
  return worst;
}

// Two oblique blocks, a state and an algebraic unknown, mixed: unknowns 0 and 3, 1 and 4, 2, 5.
Matrix mixed() {
  Matrix p(6, 6);
  p(0, 0) = 1.0;
  p(0, 3) = 5.0;
  p(4, 4) = 1.0;
  p(1, 4) = -2.0;
  p(2, 2) = 1.0;
  return p;
}

TEST(Projector, BasesLieInTheBlocks) {
  const ProjectorParts parts = analyse_projector(mixed());
  ASSERT_EQ(parts.q_image.cols(), 3u);
  Matrix q = Matrix::identity(6);
  for (std::size_t j = 0; j < 6; ++j)
    for (std::size_t i = 0; i < 6; ++i) q(i, j) -= mixed()(i, j);
  // Q e = e on its image, r^T Q = r^T on the image of its transpose, orthonormal both.
  const Matrix image = parts.q_image.dense(), rows = parts.q_rows.dense();
  EXPECT_LT(difference(product(q, image), image), 1e-15);
  EXPECT_LT(difference(product(transpose_of(q), rows), rows), 1e-15);
  EXPECT_LT(difference(product(transpose_of(image), image), Matrix::identity(3)), 1e-15);
  EXPECT_LT(difference(product(transpose_of(rows), rows), Matrix::identity(3)), 1e-15);
  EXPECT_LE(parts.q_image.entries().size(), 5u);
}

TEST(Projector, RefusesWhatIsNone) {
  Matrix p = mixed();
  p(5, 5) = 0.5;
  EXPECT_THROW(analyse_projector(p), Misuse);
  p = mixed();
  p(3, 0) = 1.0;
  EXPECT_THROW(analyse_projector(p), Misuse);
}

// T A = P, P P = P = P^T, T regular: by blocks that are regular, singular, rectangular, or nothing at all.
TEST(Projector, FormOfSingularMatricesByBlocks) {
  Matrix a(7, 7);
  a(0, 0) = a(1, 1) = 2e-6;
  a(0, 1) = a(1, 0) = -2e-6;  // a capacitor between two nodes
  a(2, 4) = 3.0;              // another unknown than equation
  a(3, 2) = 1.0;
  a(3, 3) = 1.0;  // one equation, two unknowns
  a(4, 5) = 1.0;
  a(5, 5) = 2.0;  // two equations, one unknown
  const BlockProjectorForm form = block_projector_form(a);
  const Matrix p = form.projector.dense(), t = form.transform.dense();
  EXPECT_LT(difference(product(t, a), p), 1e-14);
  EXPECT_LT(difference(product(p, p), p), 1e-14);
  EXPECT_LT(difference(transpose_of(p), p), 1e-15);
  ASSERT_TRUE(inverse(t).has_value());
  double trace = 0.0;
  for (std::size_t i = 0; i < 7; ++i) trace += p(i, i);
  EXPECT_NEAR(trace, 4.0, 1e-14);
  const ProjectorForm whole = projector_form(a);
  EXPECT_LT(difference(whole.projector, p), 1e-13);
}

// A million unknowns, of which every third is algebraic: nothing of size n x n, and no time to speak of.
TEST(Projector, LargeOnesTakeLinearMemory) {
  const std::uint32_t n = 1'000'000;
  std::vector<ConstantMatrix::Entry> entries;
  for (std::uint32_t i = 0; i < n; ++i)
    if (i % 3 != 2) entries.push_back({i, i, 1.0});
  const ProjectorParts parts = analyse_projector({n, n, std::move(entries)});
  EXPECT_EQ(parts.q_image.cols(), n / 3);
  EXPECT_EQ(parts.q_image.entries().size(), n / 3);
}

}  // namespace
}  // namespace driftless::projector_test
