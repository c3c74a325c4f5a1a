#include "driftless/modelfile/structure/dynamic_system.h"

#include <algorithm>
#include <numeric>

namespace driftless {

namespace {

constexpr double zero_entry = 1e-13;  // of the largest in its row

}  // namespace

void drop_zeros(const Graph& graph, const SamplePoints& points, std::vector<Expr>& matrix, std::size_t columns) {
  std::vector<std::size_t> present;
  std::vector<Expr> entries;
  for (std::size_t e = 0; e < matrix.size(); ++e) {
    if (graph.vanishes(matrix[e])) {
      matrix[e] = Expr{};
      continue;
    }
    present.push_back(e);
    entries.push_back(matrix[e]);
  }
  const std::vector<Numbers> values = points.values(graph, entries);
  std::vector<char> seen(entries.size(), 0);
  for (const Numbers& at : values) {
    Numbers largest(matrix.size() / std::max<std::size_t>(columns, 1), 0.0);
    for (std::size_t e = 0; e < present.size(); ++e)
      if (isfinite(at[e])) largest[present[e] / columns] = max(largest[present[e] / columns], abs(at[e]));
    for (std::size_t e = 0; e < present.size(); ++e)
      seen[e] |= isfinite(at[e]) && abs(at[e]) > zero_entry * largest[present[e] / columns] ? 1 : 0;
  }
  for (std::size_t e = 0; e < present.size(); ++e)
    if (!seen[e]) matrix[present[e]] = Expr{};
}

DynamicSystem::DynamicSystem(Graph& graph, const SamplePoints& points, const DynamicRows& rows,
                             const SparseExpressions& gradient)
    : graph_(graph), points_(points), multipliers_(rows.multipliers), force_(rows.force) {
  mass_ = dense(rows.mass, size(), size());
  reaction_ = dense(rows.reaction, size(), multipliers_);
  gradient_ = dense(gradient, multipliers_, size());
}

std::vector<Expr> DynamicSystem::dense(const SparseExpressions& matrix, std::size_t rows, std::size_t columns) const {
  std::vector<Expr> result(rows * columns);
  for (const SparseExpression& e : matrix) {
    Expr& entry = result[e.row * columns + e.column];
    entry = graph_.add(entry, e.value);
  }
  drop_zeros(graph_, points_, result, columns);
  return result;
}

std::vector<MassBlock> DynamicSystem::blocks() const {
  const auto n = static_cast<std::uint32_t>(size());
  std::vector<std::uint32_t> root(2 * n);  // of rows, then of columns
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](std::uint32_t a) {
    while (root[a] != a) a = root[a] = root[root[a]];
    return a;
  };
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j)
      if (!graph_.vanishes(mass(i, j))) root[find(i)] = find(n + j);
  std::vector<MassBlock> result;
  std::vector<std::size_t> place(2 * n, SIZE_MAX);
  for (std::uint32_t a = 0; a < 2 * n; ++a) {
    std::size_t& at = place[find(a)];
    if (at == SIZE_MAX) {
      at = result.size();
      result.emplace_back();
    }
    if (a < n)
      result[at].rows.push_back(a);
    else
      result[at].columns.push_back(a - n);
  }
  return result;
}

}  // namespace driftless
