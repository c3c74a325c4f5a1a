#include "driftless/modelfile/compiled/formula_book.h"

#include <algorithm>

#include "driftless/expression/angle_sums.h"
#include "driftless/expression/subgraph.h"

namespace driftless {

FormulaBook::FormulaBook(const Graph& from, std::span<const std::uint32_t> components, std::uint32_t time,
                         std::span<const std::uint32_t> held, Engine engine)
    : from_(&from), engine_(engine), time_(static_cast<std::uint32_t>(components.size())), inputs_(0) {
  graph_.set_trace(from.trace());
  add_inputs(components.size(), components);
  add_inputs(1, std::span(&time, 1));
  add_inputs(held.size(), held);
}

std::uint32_t FormulaBook::add_inputs(std::size_t count, std::span<const std::uint32_t> of_from) {
  const auto first = static_cast<std::uint32_t>(inputs_);
  for (std::uint32_t k = 0; k < of_from.size(); ++k) {
    if (of_from[k] >= slot_of_.size()) slot_of_.resize(of_from[k] + std::size_t{1}, nowhere);
    slot_of_[of_from[k]] = first + k;
  }
  taken_.clear();  // what was taken so far may have read these slots elsewhere
  inputs_ += count;
  return first;
}

Expr FormulaBook::take(Expr e) { return take(std::span(&e, 1))[0]; }

std::vector<Expr> FormulaBook::take(std::span<const Expr> of_from) {
  const Subgraph nodes(*from_, of_from);
  std::vector<Expr> made(nodes.size());
  if (taken_.size() < from_->size() && nodes.size() > 0) taken_.resize(from_->size(), nowhere);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Expr node = nodes[k].node;
    const auto child = [&](int i) { return made[nodes[k].child[i]]; };
    if (taken_[node.id] != nowhere) {
      made[k] = {taken_[node.id]};
      continue;
    }
    switch (const Op op = from_->op(node)) {
      case Op::constant: made[k] = graph_.constant(from_->number(node)); break;
      case Op::input: {
        const std::uint32_t slot = from_->slot(node);
        if (slot >= slot_of_.size() || slot_of_[slot] == nowhere)
          throw std::logic_error("a formula reads a slot that is no input of its form");
        made[k] = graph_.input(slot_of_[slot]);
        break;
      }
      case Op::select: made[k] = graph_.select(child(0), child(1), child(2)); break;
      default: made[k] = arity(op) == 1 ? graph_.apply(op, child(0)) : graph_.apply(op, child(0), child(1));
    }
    taken_[node.id] = made[k].id;
  }
  std::vector<Expr> result;
  for (std::size_t k = 0; k < of_from.size(); ++k) result.push_back(made[nodes.root(k)]);
  return result;
}

FormulaBook::Addition::Addition(const FormulaBook& book)
    : lock_(book.mutex_), graph_(book.graph_), size_(book.graph_.size()) {
  if (graph_.trace()) trace_lock_ = std::unique_lock(graph_.trace()->mutex());
}

Program FormulaBook::program(std::span<const Expr> formulas, std::span<const std::size_t> part_sizes) const {
  return Program(graph_, expand_angle_sums(graph_, formulas), engine_, part_sizes);
}

void LazyVector::operator()(const Arguments& arguments, std::initializer_list<Span> parts) const {
  double* addresses[most_parts];
  std::size_t count = 0;
  for (const Span& part : parts) addresses[count++] = part.data();
  std::call_once(once_, [&] {
    std::vector<std::size_t> sizes;
    for (const Span& part : parts) sizes.push_back(part.size());
    const FormulaBook::Addition addition(*book_);
    program_ = book_->program(build_(book_->graph()), sizes);
  });
  program_.run_into(arguments.data(), addresses, arguments.parameters());
}

void LazyMatrices::build(std::initializer_list<MatrixView> out) const {
  const FormulaBook::Addition addition(*book_);
  const Graph& graph = book_->graph();
  entries_ = build_(book_->graph());
  std::erase_if(entries_, [&](const MatrixEntry& e) { return graph.vanishes(e.value); });
  std::size_t size = 0;
  std::vector<std::size_t> first, sizes;
  for (const MatrixView& matrix : out) {
    first.push_back(size);
    sizes.push_back(matrix.rows * matrix.cols);
    size += sizes.back();
  }
  whole_ = size <= largest_whole;
  std::vector<Expr> values(whole_ ? size : entries_.size());
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const MatrixEntry& e = entries_[k];
    values[whole_ ? first[e.matrix] + e.column * out.begin()[e.matrix].rows + e.row : k] = e.value;
  }
  if (!whole_) sizes.clear();
  program_ = book_->program(values, sizes);
}

void LazyMatrices::operator()(Arguments& arguments, std::initializer_list<MatrixView> out) const {
  std::call_once(once_, [&] { build(out); });
  if (whole_) return run_whole(arguments, out);
  double* const values = arguments.take(program_.outputs());
  program_.run(arguments.data(), values, arguments.parameters());
  for (const MatrixView& matrix : out) matrix.fill(0.0);
  const MatrixView* matrices = out.begin();
  for (std::size_t k = 0; k < entries_.size(); ++k)
    matrices[entries_[k].matrix](entries_[k].row, entries_[k].column) = values[k];
}

// Straight into the matrices, but for those with gaps between their columns.
void LazyMatrices::run_whole(Arguments& arguments, std::initializer_list<MatrixView> out) const {
  double* addresses[most_parts];
  std::size_t count = 0;
  for (const MatrixView& matrix : out)
    addresses[count++] = matrix.stride == matrix.rows ? matrix.data : arguments.take(matrix.rows * matrix.cols);
  program_.run_into(arguments.data(), addresses, arguments.parameters());
  count = 0;
  for (const MatrixView& matrix : out) {
    const double* const from = addresses[count++];
    if (from == matrix.data) continue;
    for (std::size_t j = 0; j < matrix.cols; ++j)
      std::copy_n(from + j * matrix.rows, matrix.rows, matrix.data + j * matrix.stride);
  }
}

void add_jacobian(Graph& graph, std::span<const Expr> values, std::size_t count, std::uint32_t time,
                  std::uint32_t matrix, MatrixEntries& entries) {
  const auto rows = jacobian(graph, values);
  for (std::uint32_t i = 0; i < rows.size(); ++i)
    for (const Partial& partial : rows[i]) {
      if (partial.slot < count) entries.push_back({matrix, i, partial.slot, partial.derivative});
      if (partial.slot == time) entries.push_back({matrix, i, static_cast<std::uint32_t>(count), partial.derivative});
    }
}

}  // namespace driftless
