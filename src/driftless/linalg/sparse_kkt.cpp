#include "driftless/linalg/sparse_kkt.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "driftless/core/scratch.h"

namespace driftless {

namespace {

// Column p of L: its own entries below the diagonal, and those that earlier columns bring along.
std::vector<std::set<std::uint32_t>> fill(const Pattern& pattern, const std::vector<std::uint32_t>& place,
                                          const std::vector<std::uint32_t>& vertex) {
  std::vector<std::set<std::uint32_t>> below(pattern.cols);
  for (std::uint32_t p = 0; p < pattern.cols; ++p)
    for (std::size_t k = pattern.begin[vertex[p]]; k < pattern.begin[vertex[p] + 1]; ++k)
      if (place[pattern.row[k]] > p) below[p].insert(place[pattern.row[k]]);
  for (std::uint32_t p = 0; p < pattern.cols; ++p)
    if (!below[p].empty()) below[*below[p].begin()].insert(std::next(below[p].begin()), below[p].end());
  return below;
}

std::size_t total(const std::vector<std::set<std::uint32_t>>& columns) {
  std::size_t sum = 0;
  for (const auto& column : columns) sum += column.size();
  return sum;
}

}  // namespace

SparseLdl::SparseLdl(const Pattern& pattern) : place_(pattern.cols), vertex_(pattern.cols) {
  const std::size_t n = pattern.cols;
  std::iota(place_.begin(), place_.end(), 0u);
  std::iota(vertex_.begin(), vertex_.end(), 0u);
  auto below = fill(pattern, place_, vertex_);
  // The given order is the best one where it is as good as any: nothing has to be moved then.
  const std::vector<std::uint32_t> vertex = minimum_degree_order(pattern);
  std::vector<std::uint32_t> place(n);
  for (std::uint32_t p = 0; p < n; ++p) place[vertex[p]] = p;
  if (auto other = fill(pattern, place, vertex); total(other) < total(below)) {
    below = std::move(other);
    place_ = place;
    vertex_ = vertex;
  }
  for (std::uint32_t p = 0; p < n; ++p) {
    row_.push_back(p);
    row_.insert(row_.end(), below[p].begin(), below[p].end());
    begin_.push_back(static_cast<std::uint32_t>(row_.size()));
  }
  for (std::uint32_t p = 0; p < n; ++p)
    for (std::size_t a = begin_[p] + 1; a < begin_[p + 1]; ++a)
      for (std::size_t b = a; b < begin_[p + 1]; ++b) target_.push_back(position_of(row_[b], row_[a]));
}

std::uint32_t SparseLdl::position_of(std::uint32_t i, std::uint32_t j) const {
  if (i < j) std::swap(i, j);
  const auto first = row_.begin() + begin_[j], last = row_.begin() + begin_[j + 1];
  return static_cast<std::uint32_t>(std::lower_bound(first, last, i) - row_.begin());
}

bool SparseLdl::factorise(double* entries, double* inverse, double least) const {
  const std::uint32_t* target = target_.data();
  const std::size_t n = size();
  for (std::size_t p = 0; p < n; ++p) {
    const std::size_t begin = begin_[p], end = begin_[p + 1];
    const double pivot = entries[begin];
    if (!(pivot > least * inverse[p]) || !std::isfinite(pivot)) {  // inverse[p] holds the original diagonal
      failed_ = static_cast<std::uint32_t>(p);
      return false;
    }
    const double scale = inverse[p] = 1.0 / pivot;
    for (std::size_t a = begin + 1; a < end; ++a) {
      const double factor = entries[a] * scale;
      for (std::size_t b = a; b < end; ++b) entries[*target++] -= factor * entries[b];
      entries[a] = factor;
    }
  }
  return true;
}

void SparseLdl::forward(const double* entries, double* x) const {
  for (std::size_t p = 0; p < size(); ++p)
    for (std::size_t a = begin_[p] + 1; a < begin_[p + 1]; ++a) x[row_[a]] -= entries[a] * x[p];
}

void SparseLdl::backward(const double* entries, double* x) const {
  for (std::size_t p = size(); p-- > 0;) {
    double sum = x[p];
    for (std::size_t a = begin_[p] + 1; a < begin_[p + 1]; ++a) sum -= entries[a] * x[row_[a]];
    x[p] = sum;
  }
}

SparseKkt::SparseKkt(const Pattern& mass, const Pattern& g, Values values)
    : n_(g.cols),
      m_(g.rows),
      unit_mass_(mass.cols == 0),
      mass_ldl_(mass),
      mass_(mass_ldl_.entry_count()),
      inverse_(n_, 1.0),
      constraint_place_(m_),
      q_place_(n_) {
  if (m_ > 0 && m_ <= largest_fixed && values == Values::dense) fixed_ = &fixed_kkt(m_);
  analyse_mass(mass, values);
  analyse_y(g, values);
  analyse_s();
  for (std::uint32_t i = 0; i < n_; ++i) in_order_ = in_order_ && q_place_[i] == i;
  for (std::uint32_t i = 0; i < m_; ++i) in_order_ = in_order_ && constraint_place_[i] == i;
}

void SparseKkt::analyse_mass(const Pattern& mass, Values values) {
  for (std::uint32_t i = 0; i < n_; ++i) q_place_[i] = unit_mass_ ? i : mass_ldl_.place_of(i);
  for (std::uint32_t j = 0; j < mass.cols; ++j)
    for (std::uint32_t k = mass.begin[j]; k < mass.begin[j + 1]; ++k) {
      const std::uint32_t row = q_place_[mass.row[k]], column = q_place_[j];
      if (row < column) continue;
      const auto from = values == Values::compressed ? k : static_cast<std::uint32_t>(mass.row[k] + j * n_);
      mass_moves_.push_back({from, mass_ldl_.position_of(row, column)});
    }
}

// Row p of Y has the constraints of coordinate p, and those of the earlier rows that are subtracted from it.
void SparseKkt::analyse_y(const Pattern& g, Values values) {
  std::vector<std::set<std::uint32_t>> rows(n_);
  for (std::uint32_t j = 0; j < n_; ++j)
    rows[q_place_[j]].insert(g.row.begin() + g.begin[j], g.row.begin() + g.begin[j + 1]);
  if (!unit_mass_)
    for (std::uint32_t p = 0; p < n_; ++p)
      for (std::size_t a = mass_ldl_.begin()[p] + 1; a < mass_ldl_.begin()[p + 1]; ++a)
        rows[mass_ldl_.row()[a]].insert(rows[p].begin(), rows[p].end());
  // S couples the constraints that meet in a row of Y.
  std::vector<std::set<std::uint32_t>> coupled(m_);
  for (const auto& row : rows)
    for (const std::uint32_t i : row) coupled[i].insert(row.begin(), row.end());
  std::vector<std::vector<std::uint32_t>> columns(m_);
  for (std::uint32_t i = 0; i < m_; ++i) {
    coupled[i].insert(i);
    columns[i].assign(coupled[i].begin(), coupled[i].end());
  }
  s_ldl_ = SparseLdl(pattern_from_columns(m_, columns));
  for (std::uint32_t i = 0; i < m_; ++i) constraint_place_[i] = fixed_ ? i : s_ldl_.place_of(i);

  std::vector<std::uint32_t> begin = {0}, column;
  for (const auto& row : rows) {
    std::vector<std::uint32_t> places;
    for (const std::uint32_t i : row) places.push_back(constraint_place_[i]);
    std::ranges::sort(places);
    column.insert(column.end(), places.begin(), places.end());
    begin.push_back(static_cast<std::uint32_t>(column.size()));
  }
  auto at = [&](std::uint32_t p, std::uint32_t k) {
    return fixed_ ? static_cast<std::uint32_t>(p * fixed_->width + column[k]) : k;
  };
  y_.assign(fixed_ ? n_ * fixed_->width : column.size(), 0.0);
  scaled_y_ = y_;
  for (std::uint32_t p = 0; p < n_; ++p)
    for (std::uint32_t k = begin[p]; k < begin[p + 1]; ++k) y_by_row_.push_back({p, column[k], at(p, k)});
  y_by_column_ = y_by_row_;
  std::ranges::stable_sort(y_by_column_, {}, &Entry::column);
  auto find = [&](std::uint32_t row, std::uint32_t constraint) {
    const auto first = column.begin() + begin[row], last = column.begin() + begin[row + 1];
    return at(row, static_cast<std::uint32_t>(std::lower_bound(first, last, constraint) - column.begin()));
  };
  for (std::uint32_t j = 0; j < n_; ++j)
    for (std::uint32_t k = g.begin[j]; k < g.begin[j + 1]; ++k) {
      const auto from = values == Values::compressed ? k : static_cast<std::uint32_t>(g.row[k] + j * m_);
      g_moves_.push_back({from, find(q_place_[j], constraint_place_[g.row[k]])});
    }
  if (!unit_mass_)
    for (std::uint32_t p = 0; p < n_; ++p)
      for (std::uint32_t a = mass_ldl_.begin()[p] + 1; a < mass_ldl_.begin()[p + 1]; ++a)
        for (std::uint32_t k = begin[p]; k < begin[p + 1]; ++k)
          y_products_.push_back({a, at(p, k), find(mass_ldl_.row()[a], column[k])});
}

void SparseKkt::analyse_s() {
  s_.resize(fixed_ ? m_ * fixed_->width : s_ldl_.entry_count());
  s_inverse_.resize(m_);
  s_diagonal_.resize(m_);
  if (fixed_) return;
  for (std::size_t a = 0; a < y_by_row_.size(); ++a)
    for (std::size_t b = a; b < y_by_row_.size() && y_by_row_[b].row == y_by_row_[a].row; ++b) {
      const std::uint32_t i = y_by_row_[a].column, j = y_by_row_[b].column;
      s_products_.push_back({y_by_row_[a].at, y_by_row_[b].at, s_ldl_.position_of(j, i)});
    }
}

SparseKkt::Status SparseKkt::factorise(ConstSpan mass, ConstSpan g) {
  constexpr double least_mass_pivot = 16.0 * std::numeric_limits<double>::epsilon();
  std::fill(y_.begin(), y_.end(), 0.0);
  for (const Move& move : g_moves_) y_[move.to] = g[move.from];
  if (!unit_mass_) {
    std::fill(mass_.begin(), mass_.end(), 0.0);
    for (const Move& move : mass_moves_) mass_[move.to] = mass[move.from];
    for (std::size_t p = 0; p < n_; ++p) inverse_[p] = mass_[mass_ldl_.begin()[p]];
    if (!mass_ldl_.factorise(mass_.data(), inverse_.data(), least_mass_pivot))
      return Status::mass_not_positive_definite;
    for (const Product& p : y_products_) y_[p.to] -= mass_[p.left] * y_[p.right];
  }
  if (fixed_) {
    fixed_->multiply(y_.data(), inverse_.data(), n_, scaled_y_.data(), s_.data());
  } else {
    for (const Entry& entry : y_by_row_) scaled_y_[entry.at] = y_[entry.at] * inverse_[entry.row];
    std::fill(s_.begin(), s_.end(), 0.0);
    for (const Product& p : s_products_) s_[p.to] += scaled_y_[p.left] * y_[p.right];
  }
  return factorise_schur() ? Status::regular : Status::ill_conditioned;
}

bool SparseKkt::factorise_schur() {
  constexpr double least_pivot = 1e-5;
  auto pivot = [&](std::size_t i) { return s_[fixed_ ? i * fixed_->width + i : s_ldl_.begin()[i]]; };
  for (std::size_t i = 0; i < m_; ++i) s_inverse_[i] = s_diagonal_[i] = pivot(i);
  return fixed_ ? fixed_->factorise(s_.data(), s_inverse_.data(), least_pivot)
                : s_ldl_.factorise(s_.data(), s_inverse_.data(), least_pivot);
}

double SparseKkt::pivot_ratio() const {
  double largest = 1.0;
  for (std::size_t i = 0; i < m_; ++i) largest = std::max(largest, s_diagonal_[i] * s_inverse_[i]);
  return largest;
}

// With w = D^-1 L^-1 top:  S lambda = Y^T w - bottom,  x = L^-T (w - D^-1 Y lambda).
void SparseKkt::solve_in_order(double* w, double* lambda, bool loaded) const {
  for (std::size_t i = 0; i < m_; ++i) lambda[i] = -lambda[i];
  if (loaded) {
    if (!unit_mass_) {
      mass_ldl_.forward(mass_.data(), w);
      for (std::size_t p = 0; p < n_; ++p) w[p] *= inverse_[p];
    }
    if (fixed_)
      fixed_->gather(y_.data(), w, n_, lambda);
    else
      for (const Entry& entry : y_by_row_) lambda[entry.column] += w[entry.row] * y_[entry.at];
  }
  if (fixed_) {
    fixed_->solve(scaled_y_.data(), s_.data(), s_inverse_.data(), n_, w, lambda);
  } else {
    s_ldl_.forward(s_.data(), lambda);
    for (std::size_t i = 0; i < m_; ++i) lambda[i] *= s_inverse_[i];
    s_ldl_.backward(s_.data(), lambda);
    for (const Entry& entry : y_by_column_) w[entry.row] -= scaled_y_[entry.at] * lambda[entry.column];
  }
  if (!unit_mass_) mass_ldl_.backward(mass_.data(), w);
}

void SparseKkt::solve(Span top, Span bottom) const { solve_anywhere(top, bottom, true); }

void SparseKkt::solve_constraints(Span x, Span bottom) const {
  std::fill(x.begin(), x.end(), 0.0);
  solve_anywhere(x, bottom, false);
}

void SparseKkt::solve_anywhere(Span top, Span bottom, bool loaded) const {
  if (in_order_) return solve_in_order(top.data(), bottom.data(), loaded);
  Scratch scratch;
  const Span w = scratch.take<double>(n_), lambda = scratch.take<double>(m_);
  for (std::size_t i = 0; i < n_; ++i) w[q_place_[i]] = top[i];
  for (std::size_t i = 0; i < m_; ++i) lambda[constraint_place_[i]] = bottom[i];
  solve_in_order(w.data(), lambda.data(), loaded);
  for (std::size_t i = 0; i < n_; ++i) top[i] = w[q_place_[i]];
  for (std::size_t i = 0; i < m_; ++i) bottom[i] = lambda[constraint_place_[i]];
}

void SparseKkt::solve_mass(Span x) const {
  if (unit_mass_) return;
  Scratch scratch;
  const Span w = scratch.take<double>(n_);
  for (std::size_t i = 0; i < n_; ++i) w[q_place_[i]] = x[i];
  mass_ldl_.forward(mass_.data(), w.data());
  for (std::size_t p = 0; p < n_; ++p) w[p] *= inverse_[p];
  mass_ldl_.backward(mass_.data(), w.data());
  for (std::size_t i = 0; i < n_; ++i) x[i] = w[q_place_[i]];
}

}  // namespace driftless
