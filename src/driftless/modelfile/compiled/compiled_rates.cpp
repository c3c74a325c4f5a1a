#include <algorithm>
#include <cmath>

#include "driftless/core/stop.h"
#include "driftless/modelfile/compiled/compiled_forms.h"

namespace driftless {

namespace {

std::vector<std::uint32_t> rate_slots(const Components& components, const std::vector<std::size_t>& which) {
  std::vector<std::uint32_t> slots;
  for (const std::size_t i : which) slots.push_back(components[i].rate);
  return slots;
}

// Gauss with partial pivoting, in place; a singular matrix gives infinities, which the caller's step will notice.
void solve_in_place(MatrixView a, MatrixView b) {
  for (std::size_t k = 0; k < a.rows; ++k) {
    if (k % 64 == 63) check_stop();
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < a.rows; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    if (pivot != k) {
      for (std::size_t j = k; j < a.cols; ++j) std::swap(a(k, j), a(pivot, j));
      for (std::size_t j = 0; j < b.cols; ++j) std::swap(b(k, j), b(pivot, j));
    }
    for (std::size_t i = k + 1; i < a.rows; ++i) {
      const double factor = a(i, k) / a(k, k);
      if (factor == 0.0) continue;
      for (std::size_t j = k + 1; j < a.cols; ++j) a(i, j) -= factor * a(k, j);
      for (std::size_t j = 0; j < b.cols; ++j) b(i, j) -= factor * b(k, j);
    }
  }
  for (std::size_t j = 0; j < b.cols; ++j) {
    if (j % 64 == 63) check_stop();
    for (std::size_t k = a.rows; k-- > 0;) {
      for (std::size_t i = k + 1; i < a.rows; ++i) b(k, j) -= a(k, i) * b(i, j);
      b(k, j) /= a(k, k);
    }
  }
}

MatrixView take_matrix(Scratch& scratch, std::size_t rows, std::size_t columns) {
  return {scratch.take<double>(rows * columns).data(), rows, columns, rows};
}

}  // namespace

CompiledRates::CompiledRates(std::shared_ptr<FormulaBook> book, const Components& components, const Rates& rates,
                             std::size_t count)
    : book_(book),
      count_(count),
      rate_inputs_(book->add_inputs(rates.coupled.size(), rate_slots(components, rates.coupled))),
      coupled_(rates.coupled),
      residual_(book->take(rates.residual)),
      explicit_value_(book, [this](Graph&) { return formulas_; }),
      explicit_jacobian_(book, [this](Graph& graph) { return formula_entries(graph); }),
      system_(book, [this](Graph&) { return system_entries(); }),
      slope_(book, [this](Graph& graph) { return slope_entries(graph); }) {
  for (const auto& formula : rates.formula) formulas_.push_back(formula ? book->take(*formula) : Expr{});
  Graph& graph = book->graph();
  std::unordered_map<std::uint32_t, Expr> zero;
  for (std::uint32_t k = 0; k < coupled_.size(); ++k) zero[rate_inputs_ + k] = Expr{};
  for (const Expr e : substitute(graph, residual_, zero)) right_side_.push_back(graph.negate(e));
  for (std::uint32_t i = 0; i < residual_.size(); ++i)
    for (const std::uint32_t slot : inputs_of(graph, residual_[i]))
      if (zero.contains(slot)) matrix_.push_back({0, i, slot - rate_inputs_, differentiate(graph, residual_[i], slot)});
}

MatrixEntries CompiledRates::system_entries() const {
  MatrixEntries entries = matrix_;
  for (std::uint32_t i = 0; i < right_side_.size(); ++i) entries.push_back({1, i, 0, right_side_[i]});
  return entries;
}

// d residual / d (inputs, time) at given rates.
MatrixEntries CompiledRates::slope_entries(Graph& graph) const {
  MatrixEntries entries = matrix_;
  add_jacobian(graph, residual_, count_, book_->time(), 1, entries);
  return entries;
}

MatrixEntries CompiledRates::formula_entries(Graph& graph) const {
  MatrixEntries entries;
  add_jacobian(graph, formulas_, count_, book_->time(), 0, entries);
  return entries;
}

void CompiledRates::value(Arguments& arguments, Span out) const {
  explicit_value_(arguments, out);
  if (coupled_.empty()) return;
  const std::size_t n = coupled_.size();
  const MatrixView a = take_matrix(arguments.scratch(), n, n), b = take_matrix(arguments.scratch(), n, 1);
  system_(arguments, {a, b});
  solve_in_place(a, b);
  for (std::size_t i = 0; i < n; ++i) out[coupled_[i]] = b(i, 0);
}

// 0 = R(w, x): w_x = -R_w^-1 R_x.
void CompiledRates::jacobian(Arguments& arguments, MatrixView out) const {
  explicit_jacobian_(arguments, {out});
  if (coupled_.empty()) return;
  const std::size_t n = coupled_.size();
  const MatrixView a = take_matrix(arguments.scratch(), n, n), b = take_matrix(arguments.scratch(), n, 1),
                   slope = take_matrix(arguments.scratch(), n, count_ + 1);
  system_(arguments, {a, b});
  solve_in_place(a, b);
  arguments.put({rate_inputs_, b.column(0)});
  slope_(arguments, {a, slope});
  solve_in_place(a, slope);
  for (std::size_t j = 0; j < out.cols; ++j)
    for (std::size_t i = 0; i < n; ++i) out(coupled_[i], j) = -slope(i, j);
}

}  // namespace driftless
