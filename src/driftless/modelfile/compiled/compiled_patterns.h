// Derivatives of formulas as entries on a pattern.
#pragma once

#include <optional>

#include "driftless/linalg/pattern.h"
#include "driftless/modelfile/compiled/formula_book.h"

namespace driftless {

// d values / d (first `count` inputs), and by time behind them if it is given, column by column. Equations in which
// everything meets everything are refused before memory ends.
MatrixEntries derivatives(Graph& graph, std::span<const Expr> values, std::size_t count,
                          std::optional<std::uint32_t> time);

void sort_by_column(MatrixEntries& entries);
Pattern pattern_of(const MatrixEntries& sorted, std::size_t rows, std::size_t cols);
std::vector<Expr> values_of(const MatrixEntries& entries);

}  // namespace driftless
