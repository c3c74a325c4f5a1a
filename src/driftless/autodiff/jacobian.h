// Jacobians of functions written for any scalar type, a few columns per sweep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driftless/autodiff/functions.h"
#include "driftless/core/matrix.h"
#include "driftless/core/scratch.h"

namespace driftless {

// Eight partial derivatives per sweep: measured best between 4 and 28 for functions of 5 to 30 arguments. Where four
// are enough, sweeps have four.
inline constexpr int sweep_width = 8;
inline constexpr int narrow_width = 4;
using SweepDual = Dual<double, sweep_width>;
template <class T>
using Tangent = Dual<T, 1>;

// A formula y = f(x) for one kind of number X, called as function(std::span<const X> x, std::span<X> y) and not owned:
// it lives as long as the sweep that is given it. Sweeps are thus compiled once, here, and not again for every model.
template <class X>
class FormulaOf {
 public:
  template <class Function>
  FormulaOf(const Function& function) : function_(&function), call_(&call<Function>) {}
  void operator()(std::span<const X> x, std::span<X> y) const { call_(function_, x, y); }

 private:
  template <class Function>
  static void call(const void* function, std::span<const X> x, std::span<X> y) {
    (*static_cast<const Function*>(function))(x, y);
  }

  const void* function_;
  void (*call_)(const void* function, std::span<const X> x, std::span<X> y);
};

// J(:, j) = d y / d x[first + j] for j < J.cols.
template <int W>
void sweep_jacobian(FormulaOf<Dual<double, W>> function, ConstSpan x, std::size_t first, MatrixView j);

template <class Function>
void jacobian(const Function& function, ConstSpan x, std::size_t first, MatrixView j) {
  if (j.cols <= narrow_width)
    sweep_jacobian<narrow_width>(function, x, first, j);
  else
    sweep_jacobian<sweep_width>(function, x, first, j);
}

// J = d/dx of the derivative of y along `direction`: J(i, j) = sum_k d^2 y_i / dx_j dx_k direction_k.
void jacobian_of_tangent(FormulaOf<Tangent<SweepDual>> function, ConstSpan x, ConstSpan direction, MatrixView j);

// y' along the straight line x + s direction: D y direction.
void first_derivative(FormulaOf<Tangent<double>> function, ConstSpan x, ConstSpan direction, Span y);

// y'' along the straight line x + s direction: D^2 y (direction, direction).
void second_derivative(FormulaOf<Taylor<double>> function, ConstSpan x, ConstSpan direction, Span y);

// The Jacobian of that second derivative with respect to x, at fixed direction.
void jacobian_of_second_derivative(FormulaOf<Taylor<SweepDual>> function, ConstSpan x, ConstSpan direction,
                                   MatrixView j);

// J and D^2 y (direction, direction) together, in one sweep per W columns.
template <int W>
void sweep_jacobian_and_second_derivative(FormulaOf<GradientTaylor<W>> function, ConstSpan x, ConstSpan direction,
                                          MatrixView j, Span y);

template <class Function>
void jacobian_and_second_derivative(const Function& function, ConstSpan x, ConstSpan direction, MatrixView j, Span y) {
  if (j.cols <= narrow_width)
    sweep_jacobian_and_second_derivative<narrow_width>(function, x, direction, j, y);
  else
    sweep_jacobian_and_second_derivative<sweep_width>(function, x, direction, j, y);
}

// The same with columns that share no row swept together: argument j has colour[j], entry k is in row[k] of a column
// with colour entry_colour[k]; the columns of row i are column[row_begin[i]] and on.
struct CompressedColumns {
  std::vector<std::uint32_t> colour, row, entry_colour, row_begin, column;
  std::uint32_t colours = 0;
};
template <int W>
void compressed_jacobian_and_second_derivative(FormulaOf<GradientTaylor<W>> function, ConstSpan x, ConstSpan direction,
                                               const CompressedColumns& columns, Span values, Span y);

// The Jacobian alone, on the pattern of the columns; y has as many components as the pattern has rows. Arguments behind
// the coloured ones are held.
template <int W>
void compressed_jacobian(FormulaOf<Dual<double, W>> function, ConstSpan x, const CompressedColumns& columns,
                         Span values);

}  // namespace driftless
