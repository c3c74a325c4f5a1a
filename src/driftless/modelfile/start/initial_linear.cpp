// The linear systems of the search: a few unknowns in dense matrices, many in sparse ones.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "driftless/linalg/decisive.h"
#include "driftless/linalg/lexicographic.h"
#include "driftless/modelfile/start/initial_search.h"
#include "driftless/modelfile/structure/incidence.h"

namespace driftless {

namespace {

constexpr std::size_t most_dense = 200;     // unknowns of a stage
constexpr double largest_solution = 1e10;   // relative to the right side: beyond, the matrix counts as singular
constexpr double largest_remainder = 1e-8;  // of the right side
constexpr double rounding = 1e-14;          // what may be left of conditions that hold but for rounding

}  // namespace

bool InitialSearch::is_large() const { return columns_ > most_dense; }

// In units of the scales of the unknowns and of what rounding would explain.
SparseRows InitialSearch::scaled_conditions() const {
  SparseRows rows{.entries = {}, .right = Vector(rows_)};
  rows.entries.reserve(slopes_.size());
  for (std::size_t k = 0; k < slopes_.size(); ++k) {
    const auto [row, column] = stage_.entries[k];
    rows.entries.push_back(
        {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column), slopes_[k] * unit(column) / scale_[row]});
  }
  for (std::size_t i = 0; i < rows_; ++i) rows.right[i] = -residual_[i] / scale_[i];
  return rows;
}

// W_l' d = w_l - W_l, or = 0, in units of the scales.
SparseRows InitialSearch::wishes_of(std::size_t level, bool towards_target) const {
  SparseRows rows;
  std::vector<std::uint32_t> row(wish_.size(), UINT32_MAX);
  const std::size_t eliminated = stage_.eliminated_wishes;
  for (std::size_t k = 0; k < wish_.size(); ++k) {
    if (!counts_[k] || static_cast<std::size_t>(stage_.wishes[k].trust) != level) continue;
    row[k] = static_cast<std::uint32_t>(rows.right.size());
    rows.right.push_back(towards_target ? -wish_[k] : 0.0);
    if (k >= eliminated)
      rows.entries.push_back(
          {row[k], static_cast<std::uint32_t>(k - eliminated), unit(k - eliminated) / stage_.wishes[k].scale});
  }
  for (std::size_t e = 0; e < stage_.wish_entries.size(); ++e) {
    const auto [wish, column] = stage_.wish_entries[e];
    if (row[wish] != UINT32_MAX)
      rows.entries.push_back(
          {row[wish], static_cast<std::uint32_t>(column), wish_slopes_[e] * unit(column) / stage_.wishes[wish].scale});
  }
  return rows;
}

// d = 0 for what the conditions determine: without them in sight, a wish must not move it.
SparseRows InitialSearch::settled() const {
  SparseRows rows{.entries = {}, .right = Vector(stage_.settled.size(), 0.0)};
  for (std::uint32_t k = 0; k < stage_.settled.size(); ++k)
    rows.entries.push_back({k, static_cast<std::uint32_t>(stage_.settled[k]), 1.0});
  return rows;
}

namespace {

Matrix as_matrix(const SparseRows& rows, std::size_t columns) {
  Matrix a(rows.right.size(), columns);
  for (const auto& [row, column, value] : rows.entries) a(row, column) += value;
  return a;
}

Lexicographic dense_levels(const std::vector<SparseRows>& levels, std::size_t columns) {
  Lexicographic all(columns);
  for (const SparseRows& level : levels)
    if (!level.right.empty()) all.add(as_matrix(level, columns), level.right);
  return all;
}

double largest(const Vector& v) {
  double size = 0.0;
  for (const double one : v) size = std::max(size, std::isfinite(one) ? std::abs(one) : INFINITY);
  return size;
}

double product(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

void scale_to_one(Vector& v) {
  const double length = std::sqrt(product(v, v));
  for (double& one : v) one /= length;
}

// The part of x along k, which has the length 1.
void take_out(const Vector& k, Vector& x) {
  const double along = product(k, x);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= along * k[i];
}

// An unknown that a matrix, with entries of this size, leaves open but for rounding: where its inverse makes most of
// what it has made largest. None if it is regular.
std::optional<std::size_t> open_column(const SparseLu& lu, bool is_factorised, std::size_t columns, double size) {
  if (!is_factorised) return lu.failed_column();
  constexpr double singular = 1e-12;  // relative to the size of the entries
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Vector k(columns);
  for (double& one : k) one = number(random);
  double growth = 0.0;
  for (int round = 0; round < 3; ++round) {
    scale_to_one(k);
    lu.solve(k);
    growth = std::sqrt(product(k, k));
  }
  if (growth * size * singular < 1.0) return std::nullopt;
  const auto at = std::ranges::max_element(k, {}, [](double one) { return std::abs(one); });
  return static_cast<std::size_t>(at - k.begin());
}

// Multipliers of redundant constraints leave a matrix that is singular but for rounding: its solutions are huge, and
// satisfy the equations all the same. A right side that is nothing but rounding need not be in reach of a singular one.
bool solves(const SparseRows& rows, const Vector& x, double negligible = 0.0) {
  Vector left = rows.right;
  for (const auto& [row, column, value] : rows.entries) left[row] -= value * x[column];
  return largest(left) <= std::max(largest_remainder * largest(rows.right), negligible);
}

}  // namespace

Vector InitialSearch::most_important_first(const std::vector<SparseRows>& levels) const {
  Vector step = is_large() ? lexicographic_solution(columns_, levels) : dense_levels(levels, columns_).solution();
  for (std::size_t k = 0; k < columns_; ++k) step[k] *= unit(k);
  return step;
}

Vector InitialSearch::correction() {
  std::vector<SparseRows> levels{scaled_conditions()};
  if (determined())
    if (auto step = is_large() ? solve_sparse(levels[0]) : solve_dense(levels[0])) {
      for (std::size_t k = 0; k < columns_; ++k) (*step)[k] *= unit(k);
      return *std::move(step);
    }
  for (std::size_t level = 0; level < trust_levels; ++level) levels.push_back(wishes_of(level, false));
  return most_important_first(levels);
}

Vector InitialSearch::wish_step(bool with_conditions) const {
  std::vector<SparseRows> levels;
  levels.push_back(with_conditions ? scaled_conditions() : settled());
  for (std::size_t level = 0; level < trust_levels; ++level) levels.push_back(wishes_of(level, true));
  return most_important_first(levels);
}

std::optional<Vector> InitialSearch::solve_dense(const SparseRows& rows) const {
  DecisiveMatrix lu(rows_);
  lu.matrix() = as_matrix(rows, columns_);
  Vector x = rows.right;
  if (!lu.factorise()) return std::nullopt;
  lu.solve(x);
  return solves(rows, x) ? std::optional(std::move(x)) : std::nullopt;
}

// Each row stands in the place of an unknown that it contains: the search for such places inside KLU takes time that
// grows like the square of the size where rows and unknowns come in different orders.
bool InitialSearch::analyse_sparse(const SparseRows& rows) {
  Incidence incidence{.columns = columns_, .rows = {}};
  incidence.rows.resize(rows_);
  for (const auto& [row, column, value] : rows.entries) incidence.rows[row].push_back(column);
  Matching matching = maximum_matching(incidence);
  if (matching.size < columns_) return false;
  std::vector<std::uint32_t>& place_of_row = matching.column_of_row;
  std::vector<std::uint32_t> order(rows.entries.size()), place(order.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(
      order, {}, [&](std::uint32_t e) { return std::pair(rows.entries[e].column, place_of_row[rows.entries[e].row]); });
  std::vector<std::vector<std::uint32_t>> columns(columns_);
  std::vector<std::uint32_t> diagonal(columns_);
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    const std::uint32_t column = rows.entries[order[k]].column, row = place_of_row[rows.entries[order[k]].row];
    columns[column].push_back(row);
    place[order[k]] = k;
    if (row == column) diagonal[column] = k;
  }
  sparse_.emplace(SparseSystem{SparseLu(pattern_from_columns(rows_, columns)), std::move(place),
                               std::move(place_of_row), std::move(diagonal)});
  return true;
}

std::optional<Vector> InitialSearch::solve_sparse(const SparseRows& rows) {
  if (!sparse_ && !analyse_sparse(rows)) return std::nullopt;
  Vector values(rows.entries.size()), right(rows_);
  for (std::size_t e = 0; e < values.size(); ++e) values[sparse_->place[e]] = rows.entries[e].value;
  for (std::size_t i = 0; i < rows_; ++i) right[sparse_->place_of_row[i]] = rows.right[i];
  if (!sparse_->pins.empty()) return solve_pinned(rows, std::move(values), right);
  const bool factorised = sparse_->lu.factorise(values);
  if (factorised) {
    Vector x = right;
    sparse_->lu.solve(x);
    if (largest(x) <= largest_solution * largest(right) && solves(rows, x)) return x;
  }
  const auto open = open_column(sparse_->lu, factorised, columns_, largest(values));
  if (!open) return std::nullopt;
  sparse_->pins.push_back(*open);
  return solve_pinned(rows, std::move(values), right);
}

// A x = b with a singular A and a b that it can reach, the pressures of a fluid for instance: with s added to the
// diagonal at j, A + s e_j e_j^T is regular if A leaves one direction k open, with k_j != 0, and its solution has
// x_j = 0 and solves A x = b. k is what it makes of e_j; without its part along k, x is the shortest solution. The same
// for a few directions, which are kept for the next A; null for more, or if there is no solution.
std::optional<Vector> InitialSearch::solve_pinned(const SparseRows& rows, Vector values, const Vector& right) {
  constexpr std::size_t most_pins = 4;
  SparseLu& lu = sparse_->lu;
  std::vector<std::size_t>& pins = sparse_->pins;
  const double size = largest(values);
  const auto no_solution = [&pins] {
    pins.clear();  // the next A may be regular
    return std::nullopt;
  };
  for (const std::size_t pin : pins) values[sparse_->diagonal[pin]] += size;
  while (const auto open = open_column(lu, lu.factorise(values), columns_, size)) {
    if (pins.size() == most_pins || std::ranges::find(pins, *open) != pins.end()) return no_solution();
    pins.push_back(*open);
    values[sparse_->diagonal[*open]] += size;
  }
  Vector x = right;
  lu.solve(x);
  std::vector<Vector> kernel;
  for (const std::size_t pin : pins) {
    Vector& k = kernel.emplace_back(columns_, 0.0);
    k[pin] = 1.0;
    lu.solve(k);
    for (std::size_t l = 0; l + 1 < kernel.size(); ++l) take_out(kernel[l], k);
    scale_to_one(k);
  }
  for (const Vector& k : kernel) take_out(k, x);
  if (!solves(rows, x, rounding)) return no_solution();
  return x;
}

std::vector<std::size_t> InitialSearch::open_columns(Vector& inputs) {
  inputs_ = &inputs;
  if (determined() || (rows_ > 0 && (!evaluate() || !linearise())) || !measure()) return {};
  std::vector<SparseRows> levels{rows_ > 0 ? scaled_conditions() : SparseRows{}};
  for (const Trust stated : {Trust::stated_state, Trust::stated})
    levels.push_back(wishes_of(static_cast<std::size_t>(stated), true));
  if (is_large()) return open_unknowns(columns_, levels);
  const Lexicographic known = dense_levels(levels, columns_);
  const Matrix& open = known.open();
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < columns_; ++k) {
    double size = 0.0;
    for (std::size_t c = 0; c < open.cols(); ++c) size = std::max(size, std::abs(open(k, c)));
    if (size > 1e-6) result.push_back(k);
  }
  return result;
}

}  // namespace driftless
