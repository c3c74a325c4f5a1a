#include "driftless/expression/graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "driftless/core/failure.h"
#include "driftless/core/stop.h"
#include "driftless/expression/operations.h"
#include "driftless/expression/parameter_trace.h"

namespace driftless {

namespace {

std::uint64_t hash_of(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint64_t h = static_cast<std::uint64_t>(op);
  const auto mix = [&h](std::uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  };
  mix(std::uint64_t{a} << 32 | b);
  mix(c);
  return h;
}

// Where a node is looked for: first near the place of its newest child, since what is made together is looked for
// together and should share cache lines; then, as a child may have very many parents, in strides of its own.
class Places {
 public:
  Places(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::size_t size)
      : hash_(hash_of(op, a, b, c)), mask_(size - 1) {
    place_ = (3 * std::size_t{std::max({a, b, c})} + hash_ % 4) & mask_;
  }
  std::size_t operator*() const { return place_; }
  void operator++() { place_ = (place_ + (tried_++ == 0 ? 1 : hash_ / 4 | 1)) & mask_; }

 private:
  std::size_t hash_, mask_, place_, tried_ = 0;
};

constexpr std::size_t many_nodes = 100'000;  // beyond, memory counts more than rounds of growing

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

Graph::Graph() : table_(64, 0) { nodes_.push_back({Op::constant, {0, 0, 0}}); }

// Node 0, the constant 0, is not in the table, as 0 marks a free place there.
Expr Graph::constant(Number number) {
  double value = number.at_compilation();
  if (trace_ && number.depends()) return share_constant(number.origin(), value);
  if (same_bits(value, 0.0)) return {};
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  return share_constant(0, value);
}

Expr Graph::input(std::uint32_t slot) { return share(Op::input, slot); }

Expr Graph::share_constant(std::uint32_t origin, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return share(Op::constant, origin, static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32));
}

Expr Graph::share(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  Places place(op, a, b, c, table_.size());
  for (; table_[*place] != 0; ++place) {
    const Node& node = nodes_[table_[*place]];
    if (node.op == op && node.child[0] == a && node.child[1] == b && node.child[2] == c) return {table_[*place]};
  }
  if (nodes_.size() > std::numeric_limits<std::uint32_t>::max() - 1) throw Misuse("more than 2^32 - 1 subexpressions");
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  if (id % 4096 == 0) check_stop();
  if (nodes_.size() == nodes_.capacity() && nodes_.size() > many_nodes)
    nodes_.reserve(nodes_.size() + nodes_.size() / 4);
  nodes_.push_back({op, {a, b, c}});
  table_[*place] = id;
  constexpr std::size_t small = 1 << 16;  // entries: grows in fewer rounds
  if (2 * nodes_.size() > table_.size()) make_table((table_.size() < small ? 4 : 2) * table_.size());
  return {id};
}

void Graph::make_table(std::size_t size) {
  table_ = {};  // frees the old one first
  table_.resize(size, 0);
  for (std::uint32_t id = 1; id < nodes_.size(); ++id) table_[place_of(id, 0)] = id;
}

std::size_t Graph::place_of(std::uint32_t id, std::uint32_t content) const {
  const Node& node = nodes_[id];
  Places place(node.op, node.child[0], node.child[1], node.child[2], table_.size());
  while (table_[*place] != content) ++place;
  return *place;
}

// No node was looked for past the place of the last one to come, so that it can simply be freed.
void Graph::truncate(std::size_t size) {
  while (nodes_.size() > size) {
    const auto last = static_cast<std::uint32_t>(nodes_.size() - 1);
    table_[place_of(last, last)] = 0;
    nodes_.pop_back();
  }
  release();
}

// Derivatives that were made into a program may have been more than all that is left.
void Graph::release() {
  if (nodes_.capacity() < many_nodes) return;
  if (nodes_.capacity() > nodes_.size() + nodes_.size() / 2) nodes_.shrink_to_fit();
  if (table_.size() > 8 * nodes_.size()) make_table(std::bit_ceil(2 * nodes_.size()));
}

double Graph::pinned(Expr e) const {
  trace_->guard(origin(e));
  return nodes_[e.id].value();
}

bool Graph::traced_zero(Expr e) const { return trace_->vanishes(origin(e)); }

Graph Graph::with_values(std::span<const double> values) const {
  Graph other;
  other.nodes_ = nodes_;
  if (trace_)
    for (Node& node : other.nodes_)
      if (node.op == Op::constant && node.child[0] != 0) {
        const auto bits = std::bit_cast<std::uint64_t>(values[node.child[0]]);
        node.child[1] = static_cast<std::uint32_t>(bits);
        node.child[2] = static_cast<std::uint32_t>(bits >> 32);
      }
  other.make_table(table_.size());
  return other;
}

}  // namespace driftless
