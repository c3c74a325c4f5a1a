// Operations on single numbers: computed at once where all are known, formulas of the graph otherwise.
#pragma once

#include "driftless/modelfile/flatten/value.h"

namespace driftless {

class Arithmetic {
 public:
  explicit Arithmetic(Graph& graph) : graph_(graph) {}

  Expr lift(Scalar a) const { return a.is_expression() ? a.expr : graph_.constant(a.number); }
  Scalar wrap(Expr e) const { return graph_.is_constant(e) ? Scalar::of(graph_.number(e)) : Scalar::of(e); }

  Scalar apply(Op op, Scalar a) const;
  Scalar apply(Op op, Scalar a, Scalar b) const;
  Scalar select(Scalar condition, Scalar yes, Scalar no) const;  // undefined if one of two that may be taken is

  Scalar add(Scalar a, Scalar b) const { return apply(Op::add, a, b); }
  Scalar subtract(Scalar a, Scalar b) const { return apply(Op::subtract, a, b); }
  Scalar multiply(Scalar a, Scalar b) const { return apply(Op::multiply, a, b); }
  Scalar divide(Scalar a, Scalar b) const { return apply(Op::divide, a, b); }
  Scalar negate(Scalar a) const { return apply(Op::negate, a); }
  Scalar logical_not(Scalar a) const { return apply(Op::logical_not, a); }
  Scalar logical_and(Scalar a, Scalar b) const { return apply(Op::logical_and, a, b); }
  Scalar logical_or(Scalar a, Scalar b) const { return apply(Op::logical_or, a, b); }

 private:
  Graph& graph_;
};

}  // namespace driftless
