// A scalar type that writes formulas down instead of computing them.
#pragma once

#include <utility>

#include "driftless/expression/graph.h"

namespace bench {

struct Formula {
  driftless::Expr e{};
  static inline thread_local driftless::Graph* graph = nullptr;  // where they are written

  Formula() = default;
  Formula(driftless::Expr expr) : e(expr) {}
  Formula(double value) : e(graph->constant(value)) {}

  friend Formula operator+(Formula a, Formula b) { return graph->add(a.e, b.e); }
  friend Formula operator-(Formula a, Formula b) { return graph->subtract(a.e, b.e); }
  friend Formula operator*(Formula a, Formula b) { return graph->multiply(a.e, b.e); }
  friend Formula operator/(Formula a, Formula b) { return graph->divide(a.e, b.e); }
  friend Formula operator-(Formula a) { return graph->negate(a.e); }
  Formula& operator+=(Formula b) { return *this = *this + b; }
  Formula& operator-=(Formula b) { return *this = *this - b; }
};

inline Formula apply(driftless::Op op, Formula a) { return Formula::graph->apply(op, a.e); }
inline Formula sqrt(Formula a) { return apply(driftless::Op::sqrt, a); }
inline Formula sin(Formula a) { return apply(driftless::Op::sin, a); }
inline Formula cos(Formula a) { return apply(driftless::Op::cos, a); }
inline std::pair<Formula, Formula> sin_cos(Formula a) { return {sin(a), cos(a)}; }

}  // namespace bench
