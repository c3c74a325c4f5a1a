#include "driftless/modelfile/compiled/compiled_patterns.h"

#include <algorithm>

#include "driftless/core/memory.h"
#include "driftless/core/stop.h"

namespace driftless {

void sort_by_column(MatrixEntries& entries) {
  std::ranges::sort(entries, [](const MatrixEntry& a, const MatrixEntry& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
}

MatrixEntries derivatives(Graph& graph, std::span<const Expr> values, std::size_t count,
                          std::optional<std::uint32_t> time) {
  constexpr double bytes_of_entry = 200.0;  // with its formula and the machine code of it
  MatrixEntries found;
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    check_stop();
    for (const Partial& partial : gradient(graph, values[i])) {
      if (graph.is_plainly(partial.derivative, 0.0)) continue;
      if (partial.slot < count)
        found.push_back({0, i, partial.slot, partial.derivative});
      else if (partial.slot == time)
        found.push_back({0, i, static_cast<std::uint32_t>(count), partial.derivative});
    }
    require_memory(bytes_of_entry * static_cast<double>(found.size()), "the derivatives of the equations");
  }
  sort_by_column(found);
  return found;
}

Pattern pattern_of(const MatrixEntries& sorted, std::size_t rows, std::size_t cols) {
  Pattern pattern{.rows = rows, .cols = cols, .begin = std::vector<std::uint32_t>(cols + 1, 0), .row = {}};
  for (const MatrixEntry& e : sorted) {
    pattern.row.push_back(e.row);
    ++pattern.begin[e.column + 1];
  }
  for (std::size_t j = 0; j < cols; ++j) pattern.begin[j + 1] += pattern.begin[j];
  return pattern;
}

std::vector<Expr> values_of(const MatrixEntries& entries) {
  std::vector<Expr> values;
  for (const MatrixEntry& e : entries) values.push_back(e.value);
  return values;
}

}  // namespace driftless
