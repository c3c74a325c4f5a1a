// Formulas as a graph in which equal subexpressions are one node: what a model file is made into before machine code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace driftless {

// Booleans are the numbers 0 and 1. `power` is pow(a, b); products and quotients of integers powers are made by the
// simplifications of Graph. `held` marks nothing here: relations that must not change during a step are inputs.
enum class Op : std::uint8_t {
  constant,
  input,
  negate,
  abs,
  sign,
  sqrt,
  exp,
  log,
  log10,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  floor,
  ceil,
  logical_not,
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2,
  min,
  max,
  less,
  less_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  select,  // condition != 0 ? a : b
};

int arity(Op op);
const char* name(Op op);

// A node of one graph. Children always have smaller ids than their parents.
struct Expr {
  std::uint32_t id = 0;
  friend bool operator==(Expr, Expr) = default;
};

class Graph {
 public:
  Graph();

  Expr constant(double value);
  Expr input(std::uint32_t slot);  // entry `slot` of the argument vector
  // Constants are folded, neutral elements removed, equal nodes shared; never in a way that changes a finite result by
  // more than rounding. x - x and 0 * x become 0.
  Expr apply(Op op, Expr a);
  Expr apply(Op op, Expr a, Expr b);
  Expr select(Expr condition, Expr yes, Expr no);

  Expr add(Expr a, Expr b) { return apply(Op::add, a, b); }
  Expr subtract(Expr a, Expr b) { return apply(Op::subtract, a, b); }
  Expr multiply(Expr a, Expr b) { return apply(Op::multiply, a, b); }
  Expr divide(Expr a, Expr b) { return apply(Op::divide, a, b); }
  Expr negate(Expr a) { return apply(Op::negate, a); }

  Op op(Expr e) const { return nodes_[e.id].op; }
  double value(Expr e) const { return nodes_[e.id].value; }           // of a constant
  std::uint32_t slot(Expr e) const { return nodes_[e.id].child[0]; }  // of an input
  Expr child(Expr e, int k) const { return {nodes_[e.id].child[k]}; }
  bool is_constant(Expr e) const { return op(e) == Op::constant; }
  bool is_constant(Expr e, double value_) const { return is_constant(e) && value(e) == value_; }
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    Op op;
    std::uint32_t child[3];
    double value;
  };
  std::vector<Node> nodes_;
  // hash table of nodes, owned by graph.cpp's idea of equality (0.0 and -0.0 differ, a NaN equals itself)
};

// The slots that an expression reads, ascending.
std::vector<std::uint32_t> inputs_of(const Graph& graph, Expr e);
std::vector<std::uint32_t> inputs_of(const Graph& graph, std::span<const Expr> several);

// A copy of `e` in which input slots are replaced by expressions of the same graph; slots not in the map stay.
Expr substitute(Graph& graph, Expr e, const std::unordered_map<std::uint32_t, Expr>& by_slot);
std::vector<Expr> substitute(Graph& graph, std::span<const Expr> several,
                             const std::unordered_map<std::uint32_t, Expr>& by_slot);

// The value with these inputs; for constants folding and tests, not for speed.
double evaluate(const Graph& graph, Expr e, std::span<const double> inputs);

}  // namespace driftless
