// Derivatives of index 2 and 3 on patterns, for functions that know only whole matrices.
#include <algorithm>

#include "driftless/core/memory.h"
#include "driftless/core/scratch.h"
#include "driftless/equations/index2.h"
#include "driftless/equations/index3.h"
#include "driftless/linalg/block_pattern.h"

namespace driftless {

namespace {

// The first columns of a matrix that is computed with more of them.
template <class Fill>
void leading_columns(std::size_t rows, std::size_t cols, const Fill& fill, Span values) {
  Scratch scratch;
  const MatrixView all{scratch.take<double>(rows * cols).data(), rows, cols, rows};
  fill(all);
  std::copy_n(all.data, values.size(), values.begin());
}

}  // namespace

Index2::Functions::Patterns Index2::patterns() const {
  if (const Functions::Patterns* known = functions_->patterns()) return *known;
  require_dense(u_ + lambda_, 6.0, "equations of which nobody knows the derivatives that are zero");
  const bool has_gamma = functions_->has_gamma();
  return {.f = full_pattern(u_, u_ + lambda_),
          .g = full_pattern(lambda_, u_ + 1),
          .gamma = has_gamma ? full_pattern(u_, u_) : diagonal_pattern(u_),
          .gamma_u = has_gamma ? full_pattern(u_, u_) : columns_of(diagonal_pattern(u_), 0, 0)};
}

void Index2::Functions::f_values(ConstSpan u, ConstSpan lambda, double t, Span values) const {
  leading_columns(
      u.size(), u.size() + lambda.size() + 1, [&](MatrixView j) { f_jacobian(u, lambda, t, j); }, values);
}

void Index2::Functions::f_lambda_values(ConstSpan u, ConstSpan lambda, double t, Span values) const {
  f_by_lambda(u, lambda, t, {values.data(), u.size(), lambda.size(), u.size()});
}

void Index2::Functions::g_values(ConstSpan u, double t, Span values) const {
  const std::size_t m = values.size() / (u.size() + 1);
  g_jacobian(u, t, {values.data(), m, u.size() + 1, m});
}

void Index2::Functions::gamma_values(ConstSpan u, double t, Span values) const {
  gamma(u, t, {values.data(), u.size(), u.size(), u.size()});
}

void Index2::Functions::gamma_u_values(ConstSpan u, double t, ConstSpan w, Span values) const {
  leading_columns(
      u.size(), u.size() + 1, [&](MatrixView j) { gamma_jacobian(u, t, w, j); }, values);
}

Index3::Functions::Patterns Index3::patterns() const {
  if (const Functions::Patterns* known = functions_->patterns()) return *known;
  require_dense(u_ + v_ + lambda_, 6.0, "equations of which nobody knows the derivatives that are zero");
  return {
      .f = full_pattern(u_, u_ + v_ + 1), .k = full_pattern(v_, u_ + v_ + lambda_), .g = full_pattern(lambda_, u_ + 1)};
}

void Index3::Functions::f_values(ConstSpan u, ConstSpan v, double t, Span values) const {
  f_jacobian(u, v, t, {values.data(), u.size(), u.size() + v.size() + 1, u.size()});
}

void Index3::Functions::k_values(ConstSpan u, ConstSpan v, ConstSpan lambda, double t, Span values) const {
  leading_columns(
      v.size(), u.size() + v.size() + lambda.size() + 1, [&](MatrixView j) { k_jacobian(u, v, lambda, t, j); }, values);
}

void Index3::Functions::g_values(ConstSpan u, double t, Span values) const {
  const std::size_t m = values.size() / (u.size() + 1);
  g_jacobian(u, t, {values.data(), m, u.size() + 1, m});
}

}  // namespace driftless
