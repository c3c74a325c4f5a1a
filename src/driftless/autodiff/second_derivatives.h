// Second derivatives of functions written for any scalar type: as matrices, and as values on patterns where it is known
// which arguments each result depends on.
#pragma once

#include "driftless/autodiff/jacobian.h"

namespace driftless {

// The Jacobians of y and of its first and second derivative along the curve x + s velocity + s^2/2 acceleration, both
// fixed.
void jacobians_along_curve(FormulaOf<Taylor<SweepDual>> function, ConstSpan x, ConstSpan velocity,
                           ConstSpan acceleration, MatrixView value, MatrixView first, MatrixView second);

// The same, where it is known which arguments y depends on: arguments of one colour share no component of y. An
// argument behind the coloured ones has a colour of its own.
void compressed_jacobians_along_curve(FormulaOf<Taylor<SweepDual>> function, ConstSpan x, ConstSpan velocity,
                                      ConstSpan acceleration, const CompressedColumns& columns, MatrixView value,
                                      MatrixView first, MatrixView second);

// The second derivatives of multipliers . y: rows for the leading arguments, a column for each argument, in blocks of 8
// x 8.
void hessian(FormulaOf<Dual<SweepDual, sweep_width>> function, ConstSpan x, ConstSpan multipliers, MatrixView h);

// The same, where it is known which arguments y depends on: arguments of one colour share no component of y, so that
// second derivatives by two colours tell those by the two arguments. An argument behind the coloured ones has a colour
// of its own.
void compressed_hessian(FormulaOf<Dual<SweepDual, sweep_width>> function, ConstSpan x, ConstSpan multipliers,
                        const CompressedColumns& columns, MatrixView h);

// The second derivatives of multipliers . y. Arguments of one colour share no component of y, so that derivatives by
// two colours tell those by two arguments. Results depend on the arguments of columns.column; `place` has where the
// derivative by each two arguments of a result is to be added, result by result.
void compressed_hessian_values(FormulaOf<Dual<SweepDual, sweep_width>> function, ConstSpan x, ConstSpan multipliers,
                               const CompressedColumns& columns, std::span<const std::uint32_t> place, Span values);

// The Jacobians of the first and of the second derivative of y along the curve x + s velocity + s^2/2 acceleration, on
// the pattern of the Jacobian of y itself.
void compressed_turning(FormulaOf<Taylor<SweepDual>> function, ConstSpan x, ConstSpan velocity, ConstSpan acceleration,
                        const CompressedColumns& columns, Span first, Span second);

}  // namespace driftless
