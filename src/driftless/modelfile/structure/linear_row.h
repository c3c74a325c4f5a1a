// An expression as a sum with constant factors: factor * input + factor * (something nonlinear) + constant. Equations
// in this form can be added and solved like rows of a linear system; what is nonlinear is carried along.
#pragma once

#include <span>
#include <vector>

#include "driftless/expression/graph.h"

namespace driftless {

struct LinearRow {
  struct Term {
    Expr node;  // an input, or an expression that is no sum and has no constant factor
    Number factor;
  };
  std::vector<Term> terms;  // by ascending node
  Number constant = 0.0;
  bool cancelled = false;  // terms that cancel, exactly or to rounding, were dropped

  Number factor_of(Expr node) const;  // 0 if it is not there
};

LinearRow linear_row(const Graph& graph, Expr e);
Expr to_expr(Graph& graph, const LinearRow& row);
// The same value without sums like x - (x + y), in which the digits of y are lost; as it is if its sum is very long.
Expr without_cancellation(Graph& graph, Expr e);

// row + factor * other. Terms that cancel to rounding are dropped, here as well as in linear_row().
LinearRow add(const LinearRow& row, Number factor, const LinearRow& other);
LinearRow scale(LinearRow row, Number factor);
LinearRow without(LinearRow row, Expr node);

// How an expression depends on some of its inputs.
enum class Dependence { none, affine, nonlinear };
Dependence dependence(const Graph& graph, Expr e, std::span<const char> is_variable);  // by slot

// True if the value is not zero whatever finite values the inputs have: constants, exponentials, sums of squares with a
// positive number, and products and quotients of such.
bool certainly_not_zero(const Graph& graph, Expr e);

}  // namespace driftless
