#include "driftless/modelfile/structure/invert_mix.h"

#include "driftless/modelfile/structure/incidence.h"

namespace driftless {

namespace {

constexpr std::size_t most_together = 3;

using Minor = std::vector<std::vector<Expr>>;

Expr determinant(Graph& graph, const Minor& a) {
  if (a.size() == 1) return a[0][0];
  Expr sum{};
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (graph.vanishes(a[0][j])) continue;
    Minor rest;
    for (std::size_t i = 1; i < a.size(); ++i) {
      rest.emplace_back();
      for (std::size_t k = 0; k < a.size(); ++k)
        if (k != j) rest.back().push_back(a[i][k]);
    }
    const Expr part = graph.multiply(a[0][j], determinant(graph, rest));
    sum = j % 2 == 0 ? graph.add(sum, part) : graph.subtract(sum, part);
  }
  return sum;
}

}  // namespace

std::optional<std::vector<Expr>> invert_mix(Graph& graph, const std::vector<Expr>& mix, const std::vector<Expr>& mu) {
  const auto m = static_cast<std::uint32_t>(mu.size());
  Incidence incidence{.columns = m, .rows = std::vector<std::vector<std::uint32_t>>(m)};
  for (std::uint32_t k = 0; k < m; ++k)
    for (std::uint32_t j = 0; j < m; ++j)
      if (!graph.vanishes(mix[k * m + j])) incidence.rows[k].push_back(j);
  const Matching matching = maximum_matching(incidence);
  if (matching.size < m) return std::nullopt;
  std::vector<std::vector<std::uint32_t>> needs(m);
  for (std::uint32_t k = 0; k < m; ++k)
    for (const std::uint32_t j : incidence.rows[k])
      if (matching.row_of_column[j] != k) needs[k].push_back(matching.row_of_column[j]);
  std::vector<Expr> lambda(m);
  std::vector<char> known(m, 0);
  for (const auto& rows : strong_components(needs)) {  // after those that they need
    if (rows.size() > most_together) return std::nullopt;
    Minor matrix;
    std::vector<Expr> right;
    for (const std::uint32_t k : rows) {
      matrix.emplace_back();
      for (const std::uint32_t other : rows) matrix.back().push_back(mix[k * m + matching.column_of_row[other]]);
      right.push_back(mu[k]);
      for (const std::uint32_t j : incidence.rows[k])
        if (known[j]) right.back() = graph.subtract(right.back(), graph.multiply(mix[k * m + j], lambda[j]));
    }
    const Expr whole = determinant(graph, matrix);
    for (std::size_t c = 0; c < rows.size(); ++c) {  // Cramer's rule
      Minor with = matrix;
      for (std::size_t i = 0; i < rows.size(); ++i) with[i][c] = right[i];
      lambda[matching.column_of_row[rows[c]]] = graph.divide(determinant(graph, with), whole);
    }
    for (const std::uint32_t k : rows) known[matching.column_of_row[k]] = 1;
  }
  return lambda;
}

std::optional<std::size_t> own_multiplier(const Graph& graph, const std::vector<Expr>& mix, std::size_t constraint) {
  std::size_t m = 0;
  while (m * m < mix.size()) ++m;
  std::optional<std::size_t> own;
  for (std::size_t j = 0; j < m; ++j) {
    const Expr factor = mix[constraint * m + j];
    if (graph.vanishes(factor)) continue;
    if (own || !graph.is_constant(factor)) return std::nullopt;
    own = j;
  }
  for (std::size_t k = 0; own && k < m; ++k)
    if (k != constraint && !graph.vanishes(mix[k * m + *own])) return std::nullopt;
  return own;
}

}  // namespace driftless
