#include "driftless/linalg/sparse_kkt.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "driftless/core/scratch.h"
#include "driftless/linalg/cut_offs.h"
#include "driftless/linalg/fill_order.h"

namespace driftless {

namespace {

using Columns = std::vector<std::vector<std::uint32_t>>;

// Column p of L: its own entries below the diagonal, and those that earlier columns bring along. A column is brought
// along by the one of its first entry.
Columns fill(const Pattern& pattern, const std::vector<std::uint32_t>& place,
             const std::vector<std::uint32_t>& vertex) {
  Columns below(pattern.cols), brought(pattern.cols);
  std::vector<std::uint32_t> seen_by(pattern.cols, UINT32_MAX);
  for (std::uint32_t p = 0; p < pattern.cols; ++p) {
    const auto see = [&](std::uint32_t i) {
      if (i <= p || seen_by[i] == p) return;
      seen_by[i] = p;
      below[p].push_back(i);
    };
    for (std::size_t k = pattern.begin[vertex[p]]; k < pattern.begin[vertex[p] + 1]; ++k) see(place[pattern.row[k]]);
    for (const std::uint32_t earlier : brought[p]) std::ranges::for_each(below[earlier], see);
    std::ranges::sort(below[p]);
    if (!below[p].empty()) brought[below[p].front()].push_back(p);
  }
  return below;
}

// The positions below `size` that no move goes to.
std::vector<std::uint32_t> not_moved_to(std::size_t size, const std::vector<SparseKktPlan::Move>& moves) {
  std::vector<char> moved(size, 0);
  for (const auto& move : moves) moved[move.to] = 1;
  std::vector<std::uint32_t> rest;
  for (std::uint32_t k = 0; k < size; ++k)
    if (!moved[k]) rest.push_back(k);
  return rest;
}

std::size_t total(const Columns& columns) {
  std::size_t sum = 0;
  for (const auto& column : columns) sum += column.size();
  return sum;
}

}  // namespace

SparseLdl::SparseLdl(const Pattern& pattern) : place_(pattern.cols), vertex_(pattern.cols) {
  const std::size_t n = pattern.cols;
  std::iota(place_.begin(), place_.end(), 0u);
  std::iota(vertex_.begin(), vertex_.end(), 0u);
  const bool large = n > cut_off::listed_elimination;
  const std::vector<std::uint32_t> vertex =
      large ? approximate_minimum_degree_order(pattern) : minimum_degree_order(pattern);
  std::vector<std::uint32_t> place(n);
  for (std::uint32_t p = 0; p < n; ++p) place[vertex[p]] = p;
  auto below = fill(pattern, place, vertex);
  // The given order is the best one where it is as good as any: nothing has to be moved then.
  auto as_given = large ? Columns{} : fill(pattern, place_, vertex_);
  if (large || total(below) < total(as_given)) {
    place_ = place;
    vertex_ = vertex;
  } else {
    below = std::move(as_given);
  }
  for (std::uint32_t p = 0; p < n; ++p) {
    row_.push_back(p);
    row_.insert(row_.end(), below[p].begin(), below[p].end());
    begin_.push_back(static_cast<std::uint32_t>(row_.size()));
  }
  for (std::uint32_t p = 0; p < n && !large; ++p)
    for (std::size_t a = begin_[p] + 1; a < begin_[p + 1]; ++a)
      for (std::size_t b = a; b < begin_[p + 1]; ++b) target_.push_back(position_of(row_[b], row_[a]));
}

std::uint32_t SparseLdl::position_of(std::uint32_t i, std::uint32_t j) const {
  if (i < j) std::swap(i, j);
  const auto first = row_.begin() + begin_[j], last = row_.begin() + begin_[j + 1];
  return static_cast<std::uint32_t>(std::lower_bound(first, last, i) - row_.begin());
}

std::optional<std::size_t> SparseLdl::factorise(double* entries, double* inverse, double least) const {
  if (size() > cut_off::listed_elimination) return factorise_column_by_column(entries, inverse, least);
  const std::uint32_t *target = target_.data(), *begins = begin_.data();
  const std::size_t n = size();
  for (std::size_t p = 0, begin = 0, end = 0; p < n; ++p, begin = end) {
    end = begins[p + 1];
    const double pivot = entries[begin];
    if (!(pivot > least * inverse[p]) || !std::isfinite(pivot))  // inverse[p] holds the original diagonal
      return p;
    const double scale = inverse[p] = 1.0 / pivot;
    for (std::size_t a = begin + 1; a < end; ++a) {
      const double factor = entries[a] * scale;
      for (std::size_t b = a; b < end; ++b) entries[*target++] -= factor * entries[b];
      entries[a] = factor;
    }
  }
  return std::nullopt;
}

// The earlier columns with an entry in row p wait in a list at p, each with the entry that it has come to.
std::optional<std::size_t> SparseLdl::factorise_column_by_column(double* entries, double* inverse, double least) const {
  constexpr std::uint32_t none = UINT32_MAX;
  const auto n = static_cast<std::uint32_t>(size());
  Scratch scratch;
  const auto waiting = scratch.take_raw<std::uint32_t>(n), next = scratch.take_raw<std::uint32_t>(n),
             come_to = scratch.take_raw<std::uint32_t>(n);
  const auto column = scratch.take<double>(n);
  std::ranges::fill(waiting, none);
  const auto let_wait = [&](std::uint32_t p, std::uint32_t entry) {
    if (entry == begin_[p + 1]) return;
    come_to[p] = entry;
    next[p] = std::exchange(waiting[row_[entry]], p);
  };
  for (std::uint32_t p = 0; p < n; ++p) {
    const std::uint32_t begin = begin_[p], end = begin_[p + 1];
    for (std::uint32_t a = begin; a < end; ++a) column[row_[a]] = entries[a];
    for (std::uint32_t earlier = waiting[p], after; earlier != none; earlier = after) {
      after = next[earlier];
      const std::uint32_t first = come_to[earlier];
      const double factor = entries[first] / inverse[earlier];
      for (std::uint32_t a = first; a < begin_[earlier + 1]; ++a) column[row_[a]] -= factor * entries[a];
      let_wait(earlier, first + 1);
    }
    const double pivot = column[p];
    if (!(pivot > least * inverse[p]) || !std::isfinite(pivot)) return p;
    entries[begin] = pivot;
    inverse[p] = 1.0 / pivot;
    for (std::uint32_t a = begin + 1; a < end; ++a) entries[a] = column[row_[a]] * inverse[p];
    let_wait(p, begin + 1);
  }
  return std::nullopt;
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

SparseKktPlan::SparseKktPlan(const Pattern& mass, const Pattern& g, Values values)
    : n(g.cols), m(g.rows), unit_mass(mass.cols == 0), mass_ldl(mass), constraint_place(m), q_place(n) {
  if (m > 0 && m <= cut_off::fixed_constraints && values == Values::dense) fixed = &fixed_kkt(m);
  analyse_mass(mass, values);
  analyse_y(g, values);
  analyse_s();
  for (std::uint32_t i = 0; i < n; ++i) in_order = in_order && q_place[i] == i;
  for (std::uint32_t i = 0; i < m; ++i) in_order = in_order && constraint_place[i] == i;
  if (in_order && values == Values::dense) small = find_small();
}

const SmallKkt* SparseKktPlan::find_small() const {
  const std::size_t entries = mass_ldl.entry_count();
  if (unit_mass) return small_kkt(n, m, MassKind::unit);
  if (entries == n) return small_kkt(n, m, MassKind::diagonal);
  return entries == n * (n + 1) / 2 ? small_kkt(n, m, MassKind::full) : nullptr;
}

void SparseKktPlan::analyse_mass(const Pattern& mass, Values values) {
  for (std::uint32_t i = 0; i < n; ++i) q_place[i] = unit_mass ? i : mass_ldl.place_of(i);
  for (std::uint32_t j = 0; j < mass.cols; ++j)
    for (std::uint32_t k = mass.begin[j]; k < mass.begin[j + 1]; ++k) {
      const std::uint32_t row = q_place[mass.row[k]], column = q_place[j];
      if (row < column) continue;
      const auto from = values == Values::compressed ? k : static_cast<std::uint32_t>(mass.row[k] + j * n);
      mass_moves.push_back({from, mass_ldl.position_of(row, column)});
    }
  mass_fill = not_moved_to(mass_ldl.entry_count(), mass_moves);
}

// Row p of Y has the constraints of coordinate p, and those of the earlier rows that are subtracted from it.
void SparseKktPlan::analyse_y(const Pattern& g, Values values) {
  std::vector<std::set<std::uint32_t>> rows(n);
  for (std::uint32_t j = 0; j < n; ++j)
    rows[q_place[j]].insert(g.row.begin() + g.begin[j], g.row.begin() + g.begin[j + 1]);
  if (!unit_mass)
    for (std::uint32_t p = 0; p < n; ++p)
      for (std::size_t a = mass_ldl.begin()[p] + 1; a < mass_ldl.begin()[p + 1]; ++a)
        rows[mass_ldl.row()[a]].insert(rows[p].begin(), rows[p].end());
  // S couples the constraints that meet in a row of Y.
  std::vector<std::set<std::uint32_t>> coupled(m);
  for (const auto& row : rows)
    for (const std::uint32_t i : row) coupled[i].insert(row.begin(), row.end());
  std::vector<std::vector<std::uint32_t>> columns(m);
  for (std::uint32_t i = 0; i < m; ++i) {
    coupled[i].insert(i);
    columns[i].assign(coupled[i].begin(), coupled[i].end());
  }
  s_ldl = SparseLdl(pattern_from_columns(m, columns));
  for (std::uint32_t i = 0; i < m; ++i) constraint_place[i] = fixed ? i : s_ldl.place_of(i);

  std::vector<std::uint32_t> begin = {0}, column;
  for (const auto& row : rows) {
    std::vector<std::uint32_t> places;
    for (const std::uint32_t i : row) places.push_back(constraint_place[i]);
    std::ranges::sort(places);
    column.insert(column.end(), places.begin(), places.end());
    begin.push_back(static_cast<std::uint32_t>(column.size()));
  }
  auto at = [&](std::uint32_t p, std::uint32_t k) {
    return fixed ? static_cast<std::uint32_t>(p * fixed->width + column[k]) : k;
  };
  y_size = fixed ? n * fixed->width : column.size();
  for (std::uint32_t p = 0; p < n; ++p)
    for (std::uint32_t k = begin[p]; k < begin[p + 1]; ++k) y_by_row.push_back({p, column[k], at(p, k)});
  if (!fixed) {
    y_by_column = y_by_row;
    std::ranges::stable_sort(y_by_column, {}, &Entry::column);
  }
  auto find = [&](std::uint32_t row, std::uint32_t constraint) {
    const auto first = column.begin() + begin[row], last = column.begin() + begin[row + 1];
    return at(row, static_cast<std::uint32_t>(std::lower_bound(first, last, constraint) - column.begin()));
  };
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t k = g.begin[j]; k < g.begin[j + 1]; ++k) {
      const auto from = values == Values::compressed ? k : static_cast<std::uint32_t>(g.row[k] + j * m);
      g_moves.push_back({from, find(q_place[j], constraint_place[g.row[k]])});
    }
  std::vector<char> in_pattern(y_size, 0);
  for (const Entry& entry : y_by_row) in_pattern[entry.at] = 1;
  for (const std::uint32_t k : not_moved_to(y_size, g_moves))
    if (in_pattern[k]) y_fill.push_back(k);
  if (!unit_mass)
    for (std::uint32_t p = 0; p < n; ++p)
      for (std::uint32_t a = mass_ldl.begin()[p] + 1; a < mass_ldl.begin()[p + 1]; ++a)
        for (std::uint32_t k = begin[p]; k < begin[p + 1]; ++k)
          y_products.push_back({a, at(p, k), find(mass_ldl.row()[a], column[k])});
}

void SparseKktPlan::analyse_s() {
  s_size = fixed ? m * fixed->width : s_ldl.entry_count();
  if (fixed) return;
  for (std::size_t a = 0; a < y_by_row.size(); ++a)
    for (std::size_t b = a; b < y_by_row.size() && y_by_row[b].row == y_by_row[a].row; ++b) {
      const std::uint32_t i = y_by_row[a].column, j = y_by_row[b].column;
      s_products.push_back({y_by_row[a].at, y_by_row[b].at, s_ldl.position_of(j, i)});
    }
}

SparseKkt::SparseKkt(std::shared_ptr<const SparseKktPlan> plan)
    : plan_(std::move(plan)),
      mass_(plan_->mass_ldl.entry_count()),
      inverse_(plan_->n, 1.0),
      y_(plan_->y_size),
      scaled_y_(plan_->y_size),
      s_(plan_->s_size),
      s_inverse_(plan_->m),
      s_diagonal_(plan_->m),
      small_{mass_.data(), inverse_.data(),   y_.data(),         scaled_y_.data(),
             s_.data(),    s_inverse_.data(), s_diagonal_.data()} {}

SparseKkt::Status SparseKkt::factorise_small(ConstSpan mass, ConstSpan g) {
  const int outcome = plan_->small->factorise(mass.data(), g.data(), small_);
  if (outcome == SmallKkt::regular) return Status::regular;
  if (outcome == SmallKkt::ill_conditioned) return Status::ill_conditioned;
  failed_place_ = static_cast<std::size_t>(outcome);
  return Status::mass_not_positive_definite;
}

SparseKkt::Status SparseKkt::factorise(ConstSpan mass, ConstSpan g) {
  const SparseKktPlan& plan = *plan_;
  if (plan.small) return factorise_small(mass, g);
  constexpr double least_mass_pivot = 16.0 * std::numeric_limits<double>::epsilon();
  for (const std::uint32_t k : plan.y_fill) y_[k] = 0.0;
  for (const auto& move : plan.g_moves) y_[move.to] = g[move.from];
  if (!plan.unit_mass) {
    for (const std::uint32_t k : plan.mass_fill) mass_[k] = 0.0;
    for (const auto& move : plan.mass_moves) mass_[move.to] = mass[move.from];
    for (std::size_t p = 0; p < plan.n; ++p) inverse_[p] = mass_[plan.mass_ldl.begin()[p]];
    if (const auto failed = plan.mass_ldl.factorise(mass_.data(), inverse_.data(), least_mass_pivot)) {
      failed_place_ = *failed;
      return Status::mass_not_positive_definite;
    }
    for (const auto& p : plan.y_products) y_[p.to] -= mass_[p.left] * y_[p.right];
  }
  if (plan.fixed) {
    plan.fixed->multiply(y_.data(), inverse_.data(), plan.n, scaled_y_.data(), s_.data());
  } else {
    for (const auto& entry : plan.y_by_row) scaled_y_[entry.at] = y_[entry.at] * inverse_[entry.row];
    std::fill(s_.begin(), s_.end(), 0.0);
    for (const auto& p : plan.s_products) s_[p.to] += scaled_y_[p.left] * y_[p.right];
  }
  return factorise_schur() ? Status::regular : Status::ill_conditioned;
}

bool SparseKkt::factorise_schur() {
  const SparseKktPlan& plan = *plan_;
  constexpr double least_pivot = 1e-5;
  auto pivot = [&](std::size_t i) { return s_[plan.fixed ? i * plan.fixed->width + i : plan.s_ldl.begin()[i]]; };
  for (std::size_t i = 0; i < plan.m; ++i) s_inverse_[i] = s_diagonal_[i] = pivot(i);
  return plan.fixed ? plan.fixed->factorise(s_.data(), s_inverse_.data(), least_pivot)
                    : !plan.s_ldl.factorise(s_.data(), s_inverse_.data(), least_pivot);
}

double SparseKkt::pivot_ratio() const {
  double largest = 1.0;
  for (std::size_t i = 0; i < plan_->m; ++i) largest = std::max(largest, s_diagonal_[i] * s_inverse_[i]);
  return largest;
}

double SparseKkt::mass_log_determinant() const {
  double sum = 0.0;
  if (!plan_->unit_mass)
    for (const double x : inverse_) sum -= std::log(x);
  return sum;
}

double SparseKkt::log_determinant() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < plan_->m; ++i) sum -= std::log(s_inverse_[i]);
  return sum;
}

// With w = D^-1 L^-1 top:  S lambda = Y^T w - bottom,  x = L^-T (w - D^-1 Y lambda).
void SparseKkt::solve_in_order(double* w, double* lambda, bool loaded) const {
  const SparseKktPlan& plan = *plan_;
  for (std::size_t i = 0; i < plan.m; ++i) lambda[i] = -lambda[i];
  if (loaded) {
    if (!plan.unit_mass) {
      plan.mass_ldl.forward(mass_.data(), w);
      for (std::size_t p = 0; p < plan.n; ++p) w[p] *= inverse_[p];
    }
    if (plan.fixed)
      plan.fixed->gather(y_.data(), w, plan.n, lambda);
    else
      for (const auto& entry : plan.y_by_row) lambda[entry.column] += w[entry.row] * y_[entry.at];
  }
  if (plan.fixed) {
    plan.fixed->solve(scaled_y_.data(), s_.data(), s_inverse_.data(), plan.n, w, lambda);
  } else {
    plan.s_ldl.forward(s_.data(), lambda);
    for (std::size_t i = 0; i < plan.m; ++i) lambda[i] *= s_inverse_[i];
    plan.s_ldl.backward(s_.data(), lambda);
    for (const auto& entry : plan.y_by_column) w[entry.row] -= scaled_y_[entry.at] * lambda[entry.column];
  }
  if (!plan.unit_mass) plan.mass_ldl.backward(mass_.data(), w);
}

void SparseKkt::solve(Span top, Span bottom) const {
  if (plan_->small) return plan_->small->solve(small_, top.data(), bottom.data());
  solve_anywhere(top, bottom, true);
}

void SparseKkt::solve_constraints(Span x, Span bottom) const {
  if (plan_->small) return plan_->small->solve_constraints(small_, x.data(), bottom.data());
  std::fill(x.begin(), x.end(), 0.0);
  solve_anywhere(x, bottom, false);
}

void SparseKkt::solve_anywhere(Span top, Span bottom, bool loaded) const {
  const SparseKktPlan& plan = *plan_;
  if (plan.in_order) return solve_in_order(top.data(), bottom.data(), loaded);
  Scratch scratch;
  const Span w = scratch.take<double>(plan.n), lambda = scratch.take<double>(plan.m);
  for (std::size_t i = 0; i < plan.n; ++i) w[plan.q_place[i]] = top[i];
  for (std::size_t i = 0; i < plan.m; ++i) lambda[plan.constraint_place[i]] = bottom[i];
  solve_in_order(w.data(), lambda.data(), loaded);
  for (std::size_t i = 0; i < plan.n; ++i) top[i] = w[plan.q_place[i]];
  for (std::size_t i = 0; i < plan.m; ++i) bottom[i] = lambda[plan.constraint_place[i]];
}

void SparseKkt::solve_mass(Span x) const {
  const SparseKktPlan& plan = *plan_;
  if (plan.unit_mass) return;
  Scratch scratch;
  const Span w = scratch.take<double>(plan.n);
  for (std::size_t i = 0; i < plan.n; ++i) w[plan.q_place[i]] = x[i];
  plan.mass_ldl.forward(mass_.data(), w.data());
  for (std::size_t p = 0; p < plan.n; ++p) w[p] *= inverse_[p];
  plan.mass_ldl.backward(mass_.data(), w.data());
  for (std::size_t i = 0; i < plan.n; ++i) x[i] = w[plan.q_place[i]];
}

}  // namespace driftless
