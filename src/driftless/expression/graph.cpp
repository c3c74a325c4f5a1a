#include "driftless/expression/graph.h"

#include <bit>
#include <cmath>
#include <limits>

#include "driftless/core/failure.h"
#include "driftless/core/stop.h"
#include "driftless/expression/operations.h"
#include "driftless/expression/parameter_trace.h"

namespace driftless {

namespace {

std::uint64_t hash_of(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c, double value) {
  std::uint64_t h = std::bit_cast<std::uint64_t>(value) + static_cast<std::uint64_t>(op);
  const auto mix = [&h](std::uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  };
  mix(std::uint64_t{a} << 32 | b);
  mix(c);
  return h;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

const char* name(Op op) {
  static constexpr const char* names[] = {
      "constant", "input", "negate", "abs",        "sign",     "sqrt",      "exp",    "log",   "log10",
      "sin",      "cos",   "tan",    "asin",       "acos",     "atan",      "sinh",   "cosh",  "tanh",
      "floor",    "ceil",  "not",    "add",        "subtract", "multiply",  "divide", "power", "atan2",
      "min",      "max",   "less",   "less_equal", "equal",    "not_equal", "and",    "or",    "select"};
  return names[static_cast<std::size_t>(op)];
}

Graph::Graph() : table_(64, 0) { nodes_.push_back({Op::constant, {0, 0, 0}, 0.0}); }

// Node 0, the constant 0, is not in the table, as 0 marks a free place there.
Expr Graph::constant(Number number) {
  double value = number.at_compilation();
  if (trace_ && number.depends()) return share(Op::constant, number.origin(), 0, 0, value);
  if (same_bits(value, 0.0)) return {};
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  return share(Op::constant, 0, 0, 0, value);
}

Expr Graph::input(std::uint32_t slot) { return share(Op::input, slot); }

Expr Graph::share(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c, double value) {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash_of(op, a, b, c, value) & mask;
  for (; table_[place] != 0; place = (place + 1) & mask) {
    const Node& node = nodes_[table_[place]];
    if (node.op == op && node.child[0] == a && node.child[1] == b && node.child[2] == c && same_bits(node.value, value))
      return {table_[place]};
  }
  if (nodes_.size() > std::numeric_limits<std::uint32_t>::max() - 1) throw Misuse("more than 2^32 - 1 subexpressions");
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  if (id % 4096 == 0) check_stop();
  nodes_.push_back({op, {a, b, c}, value});
  table_[place] = id;
  if (2 * nodes_.size() > table_.size()) grow_table();
  return {id};
}

void Graph::grow_table() {
  table_.assign(2 * table_.size(), 0);
  const std::size_t mask = table_.size() - 1;
  for (std::uint32_t id = 1; id < nodes_.size(); ++id) {
    const Node& node = nodes_[id];
    std::size_t place = hash_of(node.op, node.child[0], node.child[1], node.child[2], node.value) & mask;
    while (table_[place] != 0) place = (place + 1) & mask;
    table_[place] = id;
  }
}

std::size_t Graph::place_of(std::uint32_t id) const {
  const std::size_t mask = table_.size() - 1;
  const Node& node = nodes_[id];
  std::size_t place = hash_of(node.op, node.child[0], node.child[1], node.child[2], node.value) & mask;
  while (table_[place] != id) place = (place + 1) & mask;
  return place;
}

// The last node to come stands behind all others in its chain, so that its place can simply be freed.
void Graph::truncate(std::size_t size) {
  while (nodes_.size() > size) {
    table_[place_of(static_cast<std::uint32_t>(nodes_.size() - 1))] = 0;
    nodes_.pop_back();
  }
}

double Graph::pinned(Expr e) const {
  trace_->guard(origin(e));
  return nodes_[e.id].value;
}

bool Graph::traced_zero(Expr e) const { return trace_->vanishes(origin(e)); }

Graph Graph::with_values(std::span<const double> values) const {
  Graph other;
  other.nodes_ = nodes_;
  if (trace_)
    for (Node& node : other.nodes_)
      if (node.op == Op::constant && node.child[0] != 0) {
        node.value = values[node.child[0]];
      }
  other.table_.assign(table_.size() / 2, 0);
  other.grow_table();
  return other;
}

}  // namespace driftless
