#include "driftless/analysis/stability/pencil.h"

#include <fmt/format.h>

#include "driftless/analysis/stability/restricted_norm.h"
#include "driftless/core/failure.h"
#include "driftless/linalg/dense.h"
#include "driftless/linalg/rank.h"

namespace driftless {

namespace {

void require_sizes(const Matrix& a, const Matrix& b, const Matrix& v) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || v.rows() != a.cols())
    throw Misuse(
        fmt::format("the pencil ({} x {}, {} x {}) does not fit together with a subspace of dimension {} of {}",
                    a.rows(), a.cols(), b.rows(), b.cols(), v.cols(), v.rows()));
}

RestrictedNorm on_image(const Matrix& a, const Matrix& b, const Matrix& v, const Norm& norm) {
  require_sizes(a, b, v);
  if (!is_admissible(a, v))
    throw Misuse("the subspace is not admissible: it contains vectors x with A x = 0, for which |A x| says nothing");
  return RestrictedNorm(norm, product(a, v));
}

}  // namespace

bool is_admissible(const Matrix& a, const Matrix& v) {
  if (v.cols() == 0) return true;
  return analyse_rows(transpose_of(v)).rank == v.cols() &&
         analyse_rows(transpose_of(product(a, thin_qr(v).q))).rank == v.cols();
}

double pencil_norm(const Matrix& a, const Matrix& b, const Matrix& v, const Norm& norm) {
  return on_image(a, b, v, norm).norm(product(b, v));
}

double pencil_logarithmic_norm(const Matrix& a, const Matrix& b, const Matrix& v, const Norm& norm) {
  return on_image(a, b, v, norm).log_norm(product(b, v));
}

double lower_pencil_logarithmic_norm(const Matrix& a, const Matrix& b, const Matrix& v, const Norm& norm) {
  Matrix negative = product(b, v);
  for (std::size_t k = 0; k < negative.rows() * negative.cols(); ++k) negative.data()[k] = -negative.data()[k];
  return -on_image(a, b, v, norm).log_norm(negative);
}

// With A = U S W^T, B x is in Im A if the last rows of U^T B x are zero: a null space.
Matrix consistent_subspace(const Matrix& a, const Matrix& b) {
  require_sizes(a, b, Matrix(a.cols(), 0));
  const std::size_t n = a.rows();
  const SingularValues of_a = singular_values(a);
  std::size_t rank = 0;
  while (rank < of_a.s.size() && of_a.s[rank] > rank_tolerance * of_a.s[0]) ++rank;
  if (rank == n) return Matrix::identity(a.cols());
  Matrix outside(n - rank, a.cols());
  const Matrix rotated = product(transpose_of(of_a.u), b);
  for (std::size_t i = rank; i < n; ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) outside(i - rank, j) = rotated(i, j);
  const SingularValues null = singular_values(outside);
  std::size_t determined = 0;
  while (determined < null.s.size() && null.s[determined] > rank_tolerance * null.s[0]) ++determined;
  Matrix v(a.cols(), a.cols() - determined);
  for (std::size_t j = determined; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.cols(); ++i) v(i, j - determined) = null.v(i, j);
  return v;
}

}  // namespace driftless
