// The algebra that Graph does on the way in. Every rule looks at a bounded number of nodes. What constants that depend
// on parameters are is asked only where it matters for the structure: whether factors vanish.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "driftless/core/failure.h"
#include "driftless/expression/graph.h"
#include "driftless/expression/operations.h"
#include "driftless/expression/parameter_trace.h"

namespace driftless {

namespace {

// Powers up to this exponent are multiplied out: at most as many roundings, far below the cost of pow.
constexpr double largest_chain = 16.0;

bool is_normal_power_of_two(double c) {
  int exponent;
  return std::isnormal(c) && std::abs(std::frexp(c, &exponent)) == 0.5 && std::isnormal(1.0 / c);
}

// Whether a^p is made of products and roots. Decided for good, as far as p depends on parameters.
bool is_short_chain(Number p) {
  return abs(p) <= largest_chain && Number(2.0) * p == compute(Op::floor, Number(2.0) * p);
}

}  // namespace

class Simplification {
 public:
  explicit Simplification(Graph& graph) : g_(graph) {}

  Expr unary(Op op, Expr a);
  Expr binary(Op op, Expr a, Expr b);
  Expr select(Expr condition, Expr yes, Expr no);

 private:
  struct Term {  // factor * rest
    Number factor;
    Expr rest;
  };

  Expr negate(Expr a);
  Expr logical_not(Expr a);
  Expr add(Expr a, Expr b);
  Expr subtract(Expr a, Expr b);
  Expr multiply(Expr a, Expr b);
  Expr multiply_by(Expr c, Expr b);
  Expr divide(Expr a, Expr b);
  std::optional<Expr> divide_constants(Expr a, Expr b);
  Expr power(Expr a, Expr b);
  Expr integer_power(Expr a, int n);
  Expr relation(Op op, Expr a, Expr b);
  Expr conjunction(Op op, Expr a, Expr b);

  bool is(Op op, Expr e) const { return g_.op(e) == op; }
  bool constant_at(Expr e, int k) const { return g_.is_constant(g_.child(e, k)); }
  Number constant_of(Expr e, int k) const { return g_.number(g_.child(e, k)); }
  bool strip_sign(Expr& e);
  Term term(Expr e) const;
  bool known_boolean(Expr e) const { return is_boolean(g_.op(e)) || g_.is_plainly(e, 0.0) || g_.is_plainly(e, 1.0); }
  bool is_negation_of(Expr a, Expr b) const { return is(Op::logical_not, a) && g_.child(a, 0) == b; }
  Expr truth_of(Expr e) { return known_boolean(e) ? e : relation(Op::not_equal, {}, e); }
  void put_in_order(Expr& a, Expr& b) const {
    if (g_.is_constant(a)) return;
    if (g_.is_constant(b) || b.id < a.id) std::swap(a, b);
  }
  Expr make(Op op, Expr a) { return g_.share(op, a.id); }
  Expr make(Op op, Expr a, Expr b) { return g_.share(op, a.id, b.id); }

  Graph& g_;
};

Expr Graph::apply(Op op, Expr a) {
  const Tracing tracing(trace_.get());
  return Simplification(*this).unary(op, a);
}
Expr Graph::apply(Op op, Expr a, Expr b) {
  const Tracing tracing(trace_.get());
  return Simplification(*this).binary(op, a, b);
}
Expr Graph::select(Expr condition, Expr yes, Expr no) {
  const Tracing tracing(trace_.get());
  return Simplification(*this).select(condition, yes, no);
}

// Takes a minus away from e, if it has one; a negative constant counts as one.
bool Simplification::strip_sign(Expr& e) {
  if (is(Op::negate, e)) {
    e = g_.child(e, 0);
    return true;
  }
  if (g_.is_constant(e) && !g_.number(e).depends() && g_.value(e) < 0.0) {
    e = g_.constant(-g_.value(e));
    return true;
  }
  return false;
}

Simplification::Term Simplification::term(Expr e) const {
  if (is(Op::multiply, e) && constant_at(e, 0)) return {constant_of(e, 0), g_.child(e, 1)};
  return {1.0, e};
}

Expr Simplification::unary(Op op, Expr a) {
  if (arity(op) != 1) throw Misuse(fmt::format("the operation {} does not have one operand", name(op)));
  if (g_.is_constant(a)) return g_.constant(compute(op, g_.number(a)));
  const bool negated = is(Op::negate, a);
  switch (op) {
    case Op::negate: return negate(a);
    case Op::logical_not: return logical_not(a);
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
    case Op::sign: return negated ? negate(make(op, g_.child(a, 0))) : make(op, a);
    case Op::abs:
      if (is(Op::abs, a)) return a;
      [[fallthrough]];
    case Op::cos:
    case Op::cosh: return make(op, negated ? g_.child(a, 0) : a);
    default: return make(op, a);
  }
}

Expr Simplification::negate(Expr a) {
  if (g_.is_constant(a)) return g_.constant(-g_.number(a));
  if (is(Op::negate, a)) return g_.child(a, 0);
  if (is(Op::subtract, a)) return subtract(g_.child(a, 1), g_.child(a, 0));
  if (is(Op::add, a) && constant_at(a, 0)) return subtract(g_.constant(-constant_of(a, 0)), g_.child(a, 1));
  return make(Op::negate, a);
}

Expr Simplification::logical_not(Expr a) {
  if (is(Op::logical_not, a) && known_boolean(g_.child(a, 0))) return g_.child(a, 0);
  if (is(Op::equal, a)) return make(Op::not_equal, g_.child(a, 0), g_.child(a, 1));
  if (is(Op::not_equal, a)) return make(Op::equal, g_.child(a, 0), g_.child(a, 1));
  return make(Op::logical_not, a);
}

Expr Simplification::binary(Op op, Expr a, Expr b) {
  if (arity(op) != 2) throw Misuse(fmt::format("the operation {} does not have two operands", name(op)));
  if (g_.is_constant(a) && g_.is_constant(b)) return g_.constant(compute(op, g_.number(a), g_.number(b)));
  switch (op) {
    case Op::add: return add(a, b);
    case Op::subtract: return subtract(a, b);
    case Op::multiply: return multiply(a, b);
    case Op::divide: return divide(a, b);
    case Op::power: return power(a, b);
    case Op::min:
    case Op::max:
      if (a == b) return a;
      put_in_order(a, b);
      return make(op, a, b);
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::not_equal: return relation(op, a, b);
    case Op::logical_and:
    case Op::logical_or: return conjunction(op, a, b);
    default: return make(op, a, b);
  }
}

Expr Simplification::add(Expr a, Expr b) {
  if (is(Op::negate, a) && is(Op::negate, b)) return negate(add(g_.child(a, 0), g_.child(b, 0)));
  if (is(Op::negate, b)) return subtract(a, g_.child(b, 0));
  if (is(Op::negate, a)) return subtract(b, g_.child(a, 0));
  put_in_order(a, b);
  if (g_.is_plainly(a, 0.0)) return b;
  if (const Term x = term(a), y = term(b); x.rest == y.rest && isfinite(x.factor + y.factor))
    return multiply(g_.constant(x.factor + y.factor), x.rest);
  return make(Op::add, a, b);
}

Expr Simplification::subtract(Expr a, Expr b) {
  if (a == b) return {};
  if (g_.is_constant(a) && g_.is_constant(b)) return g_.constant(g_.number(a) - g_.number(b));
  if (g_.is_constant(b)) return add(g_.constant(-g_.number(b)), a);
  if (is(Op::negate, b)) return add(a, g_.child(b, 0));
  if (g_.is_plainly(a, 0.0)) return negate(b);
  if (is(Op::negate, a)) return negate(add(g_.child(a, 0), b));
  if (const Term x = term(a), y = term(b); x.rest == y.rest && isfinite(x.factor - y.factor))
    return multiply(g_.constant(x.factor - y.factor), x.rest);
  return make(Op::subtract, a, b);
}

Expr Simplification::multiply(Expr a, Expr b) {
  if (g_.is_constant(a) && g_.is_constant(b)) return g_.constant(g_.number(a) * g_.number(b));
  const bool minus_a = strip_sign(a), minus_b = strip_sign(b);
  if (minus_a != minus_b) return negate(multiply(a, b));
  put_in_order(a, b);
  if (g_.is_constant(a)) return multiply_by(a, b);
  return make(Op::multiply, a, b);
}

// Constant factors are joined if their product is a normal number: then nothing can overflow that did not before.
Expr Simplification::multiply_by(Expr factor, Expr b) {
  if (g_.vanishes(factor)) return {};
  const Number c = g_.number(factor);
  if (c.is_plainly(1.0)) return b;
  if (is(Op::multiply, b) && constant_at(b, 0) && isnormal(c * constant_of(b, 0)))
    return multiply(g_.constant(c * constant_of(b, 0)), g_.child(b, 1));
  if (is(Op::divide, b) && constant_at(b, 0) && isnormal(c * constant_of(b, 0)))
    return divide(g_.constant(c * constant_of(b, 0)), g_.child(b, 1));
  if (is(Op::divide, b) && constant_at(b, 1) && isnormal(c / constant_of(b, 1)))
    return multiply(g_.constant(c / constant_of(b, 1)), g_.child(b, 0));
  return make(Op::multiply, factor, b);
}

Expr Simplification::divide(Expr a, Expr b) {
  if (g_.is_constant(a) && g_.is_constant(b)) return g_.constant(g_.number(a) / g_.number(b));
  const bool minus_a = strip_sign(a), minus_b = strip_sign(b);
  if (minus_a != minus_b) return negate(divide(a, b));
  if (a == b) return g_.constant(1.0);
  if (g_.vanishes(a)) return {};
  if (g_.is_plainly(b, 1.0)) return a;
  if (const auto joined = divide_constants(a, b)) return *joined;
  return make(Op::divide, a, b);
}

std::optional<Expr> Simplification::divide_constants(Expr a, Expr b) {
  if (g_.is_constant(b)) {
    const Number c = g_.number(b);
    if (!c.depends() && is_normal_power_of_two(g_.value(b))) return multiply(g_.constant(1.0 / c), a);
    if (is(Op::multiply, a) && constant_at(a, 0) && isnormal(constant_of(a, 0) / c))
      return multiply(g_.constant(constant_of(a, 0) / c), g_.child(a, 1));
    if (is(Op::divide, a) && constant_at(a, 1) && isnormal(constant_of(a, 1) * c))
      return divide(g_.child(a, 0), g_.constant(constant_of(a, 1) * c));
    if (is(Op::divide, a) && constant_at(a, 0) && isnormal(constant_of(a, 0) / c))
      return divide(g_.constant(constant_of(a, 0) / c), g_.child(a, 1));
  } else if (g_.is_constant(a)) {
    const Number c = g_.number(a);
    if (is(Op::multiply, b) && constant_at(b, 0) && isnormal(c / constant_of(b, 0)))
      return divide(g_.constant(c / constant_of(b, 0)), g_.child(b, 1));
    if (is(Op::divide, b) && constant_at(b, 0) && isnormal(c / constant_of(b, 0)))
      return multiply(g_.constant(c / constant_of(b, 0)), g_.child(b, 1));
    if (is(Op::divide, b) && constant_at(b, 1) && isnormal(c * constant_of(b, 1)))
      return divide(g_.constant(c * constant_of(b, 1)), g_.child(b, 0));
  }
  return std::nullopt;
}

Expr Simplification::power(Expr a, Expr b) {
  if (g_.is_plainly(a, 1.0)) return a;
  if (!g_.is_constant(b) || !is_short_chain(g_.number(b))) return make(Op::power, a, b);
  const double p = g_.value(b);
  if (p == 0.0) return g_.constant(1.0);
  if (p < 0.0) return divide(g_.constant(1.0), power(a, g_.constant(-p)));
  const int n = static_cast<int>(p);
  if (p == n) return integer_power(a, n);
  const Expr root = unary(Op::sqrt, a);
  return n == 0 ? root : multiply(integer_power(a, n), root);
}

Expr Simplification::integer_power(Expr a, int n) {
  if (n == 1) return a;
  if (n % 2 == 1) return multiply(a, integer_power(a, n - 1));
  const Expr half = integer_power(a, n / 2);
  return multiply(half, half);
}

Expr Simplification::relation(Op op, Expr a, Expr b) {
  if (a == b) return g_.constant(op == Op::less_equal || op == Op::equal ? 1.0 : 0.0);
  if (is_commutative(op)) put_in_order(a, b);
  if (op == Op::not_equal && g_.is_plainly(a, 0.0) && known_boolean(b)) return b;
  if (op == Op::equal && g_.is_plainly(a, 0.0) && known_boolean(b)) return logical_not(b);
  return make(op, a, b);
}

Expr Simplification::conjunction(Op op, Expr a, Expr b) {
  put_in_order(a, b);
  const bool conjunctive = op == Op::logical_and;
  if (g_.is_constant(a)) {
    const bool neutral = !g_.vanishes(a) == conjunctive;
    return neutral ? truth_of(b) : g_.constant(conjunctive ? 0.0 : 1.0);
  }
  if (a == b) return truth_of(a);
  if (is_negation_of(a, b) || is_negation_of(b, a)) return g_.constant(conjunctive ? 0.0 : 1.0);
  return make(op, a, b);
}

Expr Simplification::select(Expr condition, Expr yes, Expr no) {
  if (g_.is_constant(condition)) return g_.vanishes(condition) ? no : yes;
  if (is(Op::logical_not, condition)) return select(g_.child(condition, 0), no, yes);
  if (is(Op::select, yes) && g_.child(yes, 0) == condition) yes = g_.child(yes, 1);
  if (is(Op::select, no) && g_.child(no, 0) == condition) no = g_.child(no, 2);
  if (yes == no) return yes;
  if (g_.is_plainly(yes, 1.0) && g_.is_plainly(no, 0.0) && known_boolean(condition)) return condition;
  if (g_.is_plainly(yes, 0.0) && g_.is_plainly(no, 1.0)) return logical_not(condition);
  return g_.share(Op::select, condition.id, yes.id, no.id);
}

}  // namespace driftless
