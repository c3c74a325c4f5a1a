// Formulas as a graph in which equal subexpressions are one node: what a model file is made into before machine code.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "driftless/expression/number.h"

namespace driftless {

// Booleans are the numbers 0 and 1; everything but 0 counts as true. Comparisons with a NaN are false, not_equal is
// true. min and max of a NaN are NaN; sign of a NaN is 0. Relations that must not change during a step are inputs.
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
  select,  // condition != 0 ? a : b; the value of the other branch does not matter, even if it is NaN
};

constexpr int arity(Op op) {
  if (op <= Op::input) return 0;
  if (op <= Op::logical_not) return 1;
  return op == Op::select ? 3 : 2;
}
const char* name(Op op);

// A node of one graph; Expr{} is the constant 0 of every graph. Children always have smaller ids than their parents.
struct Expr {
  std::uint32_t id = 0;
  friend bool operator==(Expr, Expr) = default;
};

class ParameterTrace;
class ParameterValues;

class Graph {
 public:
  Graph();

  // A constant that depends on parameters is another node than a number of the same value.
  Expr constant(Number value);
  Expr input(std::uint32_t slot);  // entry `slot` of the argument vector

  // Constants are folded, neutral elements removed, constant factors collected, signs moved outwards, powers with small
  // integer exponents multiplied out, like terms joined, operands of commutative operations put in order, and equal
  // nodes shared; never in a way that changes a finite result by more than rounding, or more than the sign of a zero.
  // x - x and 0 * x become 0, x / x becomes 1. What comes back may therefore be another operation than `op`.
  Expr apply(Op op, Expr a);
  Expr apply(Op op, Expr a, Expr b);
  Expr select(Expr condition, Expr yes, Expr no);

  Expr add(Expr a, Expr b) { return apply(Op::add, a, b); }
  Expr subtract(Expr a, Expr b) { return apply(Op::subtract, a, b); }
  Expr multiply(Expr a, Expr b) { return apply(Op::multiply, a, b); }
  Expr divide(Expr a, Expr b) { return apply(Op::divide, a, b); }
  Expr negate(Expr a) { return apply(Op::negate, a); }
  Expr power(Expr a, double exponent) { return apply(Op::power, a, constant(exponent)); }

  Op op(Expr e) const { return nodes_[e.id].op; }
  Number number(Expr e) const { return Number::traced(nodes_[e.id].value(), origin(e)); }   // of a constant
  double value(Expr e) const { return origin(e) == 0 ? nodes_[e.id].value() : pinned(e); }  // of a constant, for good
  std::uint32_t slot(Expr e) const { return nodes_[e.id].child[0]; }                        // of an input
  Expr child(Expr e, int k) const { return {nodes_[e.id].child[k]}; }
  bool is_constant(Expr e) const { return op(e) == Op::constant; }
  // One that depends on parameters is never plainly something; that it vanishes is recorded.
  bool is_plainly(Expr e, double value_) const { return is_constant(e) && number(e).is_plainly(value_); }
  bool vanishes(Expr e) const {
    return is_constant(e) && (origin(e) == 0 ? nodes_[e.id].value() == 0.0 : traced_zero(e));
  }
  std::size_t size() const { return nodes_.size(); }
  void truncate(std::size_t size);  // forgets what was made since the graph had this size

  // Where numbers that depend on parameters are recorded; none: they are numbers like others.
  const std::shared_ptr<ParameterTrace>& trace() const { return trace_; }
  void set_trace(std::shared_ptr<ParameterTrace> trace) { trace_ = std::move(trace); }
  // The same graph with other values of the parameters, by node of the trace, and off record.
  Graph with_values(std::span<const double> values) const;

 private:
  friend class Simplification;
  friend class ParameterTrace;
  class ParameterValues;
  // A constant has its origin and the halves of its value in the place of children.
  struct Node {
    Op op;
    std::uint32_t child[3];
    double value() const { return std::bit_cast<double>(std::uint64_t{child[2]} << 32 | child[1]); }
  };
  Expr share(Op op, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0);
  Expr share_constant(std::uint32_t origin, double value);
  void grow_table(std::size_t size);
  std::size_t place_of(std::uint32_t id, std::uint32_t content) const;  // the first on its way with this content
  std::uint32_t origin(Expr e) const { return trace_ ? nodes_[e.id].child[0] : 0; }  // of a constant
  double pinned(Expr e) const;
  bool traced_zero(Expr e) const;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> table_;  // open addressing, 0 = free; the size is a power of two
  std::shared_ptr<ParameterTrace> trace_;
};

// The slots that an expression reads, ascending.
std::vector<std::uint32_t> inputs_of(const Graph& graph, Expr e);
std::vector<std::uint32_t> inputs_of(const Graph& graph, std::span<const Expr> several);

// A copy of `e` in which input slots are replaced by expressions of the same graph; slots not in the map stay.
Expr substitute(Graph& graph, Expr e, const std::unordered_map<std::uint32_t, Expr>& by_slot);
std::vector<Expr> substitute(Graph& graph, std::span<const Expr> several,
                             const std::unordered_map<std::uint32_t, Expr>& by_slot);

// The value with these inputs; for single evaluations and tests, not for speed.
double evaluate(const Graph& graph, Expr e, std::span<const double> inputs,
                const ParameterValues* parameters = nullptr);

// How many operations the expressions need together, each shared one counted once; inputs and constants are none.
std::size_t operations_in(const Graph& graph, std::span<const Expr> several);

// The functions above cost work and memory proportional to what the expressions reach, however large the graph is.

}  // namespace driftless
