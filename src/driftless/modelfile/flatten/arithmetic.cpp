#include "driftless/modelfile/flatten/arithmetic.h"

#include "driftless/expression/operations.h"

namespace driftless {

Scalar Arithmetic::apply(Op op, Scalar a) const {
  if (a.is_constant()) return Scalar::of(compute(op, a.number));
  return wrap(graph_.apply(op, lift(a)));
}

Scalar Arithmetic::apply(Op op, Scalar a, Scalar b) const {
  if (a.is_constant() && b.is_constant()) return Scalar::of(compute(op, a.number, b.number));
  return wrap(graph_.apply(op, lift(a), lift(b)));
}

Scalar Arithmetic::select(Scalar condition, Scalar yes, Scalar no) const {
  if (condition.is_constant()) return condition.is_constant(0.0) ? no : yes;
  if (yes.is_undefined() || no.is_undefined()) return {};
  if (yes == no) return yes;
  return wrap(graph_.select(condition.expr, lift(yes), lift(no)));
}

}  // namespace driftless
