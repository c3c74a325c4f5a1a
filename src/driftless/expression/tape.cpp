#include "driftless/expression/tape.h"

#include <algorithm>

#include "driftless/core/failure.h"
#include "driftless/core/stop.h"
#include "driftless/expression/parameter_trace.h"
#include "driftless/expression/subgraph.h"

namespace driftless {

namespace {

constexpr std::uint32_t nothing = 0xffffffff;
constexpr std::size_t window = 1024;  // longer ones bring nothing, and hold more values at once

// Those that will be calls of functions, not single instructions.
bool is_call(Op op) { return (op >= Op::exp && op <= Op::tanh) || op == Op::power || op == Op::atan2; }

class Lowering {
 public:
  Lowering(const Graph& graph, std::span<const Expr> expressions, Tape& tape)
      : graph_(graph), part_(graph, expressions), tape_(tape), value_(part_.size(), nothing) {}

  void run() {
    count_uses();
    number_leaves();
    for (std::size_t first = 0; first < part_.size(); first += window) {
      check_stop();
      translate_window(first, std::min(first + window, part_.size()));
    }
    for (const std::uint32_t root : part_.roots()) tape_.outputs.push_back(value_[root]);
  }

 private:
  Op op(std::uint32_t position) const { return graph_.op(part_[position].node); }
  std::uint32_t child(std::uint32_t position, int k) const { return part_[position].child[k]; }

  void count_uses();
  void number_leaves();
  void translate_window(std::size_t first, std::size_t last);
  void translate(std::uint32_t position);
  bool absorbs_sign(std::uint32_t product) const;
  void push(Op op, std::uint32_t position, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0);
  void push_trigonometric(std::uint32_t position);

  const Graph& graph_;
  Subgraph part_;
  Tape& tape_;
  std::vector<std::uint32_t> value_;    // by position
  std::vector<std::uint32_t> uses_;     // by position
  std::vector<std::uint32_t> sine_of_;  // by position of the argument; empty if there are none
  std::vector<std::uint32_t> cosine_of_;
  std::vector<bool> early_;  // in one window
};

void Lowering::count_uses() {
  uses_.assign(part_.size(), 0);
  for (std::uint32_t position = 0; position < part_.size(); ++position) {
    const Op operation = op(position);
    for (int k = 0; k < arity(operation); ++k) ++uses_[child(position, k)];
    if (operation != Op::sin && operation != Op::cos) continue;
    if (sine_of_.empty()) {
      sine_of_.assign(part_.size(), nothing);
      cosine_of_.assign(part_.size(), nothing);
    }
    (operation == Op::sin ? sine_of_ : cosine_of_)[child(position, 0)] = position;
  }
  for (const std::uint32_t root : part_.roots()) ++uses_[root];
}

// -(c x) and -(c / x), where the product is wanted for nothing else, are one step with the constant -c.
bool Lowering::absorbs_sign(std::uint32_t product) const {
  return (op(product) == Op::multiply || op(product) == Op::divide) && uses_[product] == 1 &&
         op(child(product, 0)) == Op::constant;
}

void Lowering::number_leaves() {
  for (std::uint32_t position = 0; position < part_.size(); ++position) {
    const Expr node = part_[position].node;
    if (graph_.op(node) == Op::input) {
      value_[position] = static_cast<std::uint32_t>(tape_.slots.size());
      tape_.slots.push_back(graph_.slot(node));
    }
  }
  const auto inputs = static_cast<std::uint32_t>(tape_.slots.size());
  const auto add_constant = [&](Number constant) {
    const auto number = static_cast<std::uint32_t>(tape_.constants.size());
    if (constant.depends()) tape_.parameters.push_back({number, graph_.trace()->place_in_table(constant.origin())});
    tape_.constants.push_back(constant.at_compilation());
    return inputs + number;
  };
  const Tracing tracing(graph_.trace().get());
  for (std::uint32_t position = 0; position < part_.size(); ++position) {
    const Expr node = part_[position].node;
    if (graph_.op(node) == Op::constant) value_[position] = add_constant(graph_.number(node));
    // The value of the absorbed product is that of its negative constant until the negation takes its place.
    if (graph_.op(node) == Op::negate && absorbs_sign(child(position, 0)))
      value_[child(position, 0)] = add_constant(-graph_.number(part_[child(child(position, 0), 0)].node));
  }
  tape_.values = tape_.first_result();
}

void Lowering::push(Op operation, std::uint32_t position, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  tape_.steps.push_back({operation, false, tape_.values, {a, b, c}});
  value_[position] = tape_.values++;
}

// The first of the two that comes up brings the other one with it.
void Lowering::push_trigonometric(std::uint32_t position) {
  const std::uint32_t argument = child(position, 0);
  const std::uint32_t sine = sine_of_[argument], cosine = cosine_of_[argument];
  if (sine == nothing || cosine == nothing) return push(op(position), position, value_[argument]);
  push(Op::sin, sine, value_[argument]);
  tape_.steps.back().with_cosine = true;
  value_[cosine] = tape_.values++;
}

// Calls and what they need come first: one after the other they overlap in the processor, and few values have to be
// saved for them.
void Lowering::translate_window(std::size_t first, std::size_t last) {
  early_.assign(last - first, false);
  for (std::size_t position = last; position-- > first;) {
    const Op operation = op(static_cast<std::uint32_t>(position));
    if (!early_[position - first] && !is_call(operation)) continue;
    early_[position - first] = true;
    for (int k = 0; k < arity(operation); ++k)
      if (const std::uint32_t operand = part_[position].child[k]; operand >= first) early_[operand - first] = true;
  }
  for (const bool early : {true, false})
    for (std::size_t position = first; position < last; ++position)
      if (early_[position - first] == early) translate(static_cast<std::uint32_t>(position));
}

void Lowering::translate(std::uint32_t position) {
  if (value_[position] != nothing) return;
  const Op operation = op(position);
  if (operation == Op::sin || operation == Op::cos) return push_trigonometric(position);
  const std::uint32_t first = child(position, 0);
  if (operation == Op::negate && absorbs_sign(first))
    return push(op(first), position, value_[first], value_[child(first, 1)]);
  const int children = arity(operation);
  push(operation, position, value_[first], children > 1 ? value_[child(position, 1)] : 0,
       children > 2 ? value_[child(position, 2)] : 0);
}

}  // namespace

Tape::Tape(const Graph& graph, std::span<const Expr> expressions, std::span<const std::size_t> part_sizes) {
  Lowering(graph, expressions, *this).run();
  std::size_t next = 0;
  for (const std::size_t size : part_sizes) {
    part_begin.push_back(static_cast<std::uint32_t>(next));
    next += size;
  }
  if (part_sizes.empty())
    part_begin.push_back(0);
  else if (next != expressions.size())
    throw Misuse("parts that do not make up all outputs");
}

}  // namespace driftless
