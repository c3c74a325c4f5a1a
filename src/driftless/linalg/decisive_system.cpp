#include "driftless/linalg/decisive_system.h"

#include <algorithm>
#include <cmath>

#include "driftless/core/memory.h"
#include "driftless/core/scratch.h"
#include "driftless/linalg/analysis_scope.h"
#include "driftless/linalg/fill_order.h"
#include "driftless/linalg/rank.h"

namespace driftless {

DecisiveSystem::DecisiveSystem(const Pattern& pattern, IfSingular if_singular, std::size_t saddle)
    : pattern_(pattern), if_singular_(if_singular), saddle_(saddle) {
  const std::size_t m = pattern.cols;
  if (m > 0) sparse_.emplace(pattern);
  if (sparse_ && sparse_->is_sparse()) {
    row_factor_.resize(m);
    column_factor_.resize(m);
  } else {
    sparse_.reset();
    dense_.emplace(m);
  }
  if (sparse_ || !pattern.is_full()) values_.resize(pattern.count());
}

Span DecisiveSystem::values() {
  if (sparse_ || !pattern_.is_full()) return values_;
  return {dense_->matrix().data(), pattern_.count()};
}

void DecisiveSystem::set_sizes(ConstSpan sizes) {
  sizes_.assign(sizes.begin(), sizes.end());
  if (dense_) dense_->set_sizes(sizes);
}

void DecisiveSystem::spread(Matrix& out) const {
  out.view().fill(0.0);
  for (std::size_t j = 0, k = 0; j < pattern_.cols; ++j)
    for (; k < pattern_.begin[j + 1]; ++k) out(pattern_.row[k], j) = values_[k];
}

void DecisiveSystem::copy_to(Matrix& out) const {
  if (!sparse_ && pattern_.is_full()) {
    out = dense_->matrix();
    return;
  }
  require_dense(pattern_.cols, 1.0, "the matrix of the constraints");
  if (out.rows() != pattern_.rows || out.cols() != pattern_.cols) out = Matrix(pattern_.rows, pattern_.cols);
  spread(out);
}

// Rows, then columns, to largest entry 1, as DecisiveMatrix does before it judges.
void DecisiveSystem::scale() {
  const auto& [rows, cols, begin, row] = pattern_;
  std::ranges::fill(row_factor_, 0.0);
  for (std::size_t j = 0; j < cols; ++j) {
    const double size = sizes_.empty() ? 1.0 : sizes_[j];
    for (std::size_t k = begin[j]; k < begin[j + 1]; ++k)
      row_factor_[row[k]] = std::max(row_factor_[row[k]], std::abs(values_[k]) * size);
  }
  for (double& x : row_factor_) x = x > 0.0 ? 1.0 / x : 1.0;
  for (std::size_t j = 0; j < cols; ++j) {
    double largest = 0.0;
    for (std::size_t k = begin[j]; k < begin[j + 1]; ++k)
      largest = std::max(largest, std::abs(values_[k]) * row_factor_[row[k]]);
    column_factor_[j] = largest > 0.0 ? 1.0 / largest : 1.0;
  }
}

void DecisiveSystem::follow_order(ConstSpan scaled) {
  if (!sparse_->follows_orders()) return;
  auto order = KnownAnalyses::saddle_order(pattern_, saddle_);
  if (!order) {
    std::vector<std::uint32_t> found = diagonal_saddle_order(pattern_, saddle_);
    if (found.empty()) found = saddle_order(pattern_, saddle_, scaled);
    order = std::make_shared<const std::vector<std::uint32_t>>(std::move(found));
    KnownAnalyses::keep(pattern_, saddle_, order);
  }
  sparse_.emplace(pattern_, *order);
}

bool DecisiveSystem::factorise() {
  if (sparse_) {
    dense_.reset();
    scale();
    Scratch scratch;
    const Span scaled = scratch.take_raw<double>(values_.size());
    for (std::size_t j = 0, k = 0; j < pattern_.cols; ++j)
      for (; k < pattern_.begin[j + 1]; ++k) scaled[k] = values_[k] * row_factor_[pattern_.row[k]] * column_factor_[j];
    if (saddle_ > 0 && !is_ordered_) follow_order(scaled);
    is_ordered_ = true;
    is_factorised_ = sparse_->factorise({scaled});
    regular_ = is_factorised_ && sparse_->pivot_ratio() > rank_tolerance;
    if (regular_) return true;
    undetermined_ = sparse_->undetermined();
    if (if_singular_ == IfSingular::report) return false;
    require_dense(pattern_.cols, 4.0, "a singular matrix of constraints");
    dense_.emplace(pattern_.cols);
    dense_->set_sizes(sizes_);
  }
  if (!values_.empty()) spread(dense_->matrix());
  return dense_->factorise();
}

void DecisiveSystem::solve(Span b) const {
  if (dense_) return dense_->solve(b);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] *= row_factor_[i];
  sparse_->solve(b);
  for (std::size_t j = 0; j < b.size(); ++j) b[j] *= column_factor_[j];
}

Determinant DecisiveSystem::determinant() const {
  if (dense_) return dense_->determinant();
  Determinant result = sparse_->determinant();
  for (const double x : row_factor_) result.log -= std::log(x);
  for (const double x : column_factor_) result.log -= std::log(x);
  return result;
}

double DecisiveSystem::pivot_ratio() const { return sparse_ && regular_ ? sparse_->pivot_ratio() : 0.0; }

}  // namespace driftless
