#include "apps/driftless/report/thin_rows.h"

#include <algorithm>
#include <numeric>

namespace driftless::cli {

namespace {

void add_extremes(const Vector& column, std::size_t begin, std::size_t end, std::vector<std::size_t>& rows) {
  std::size_t least = begin, largest = begin;
  for (std::size_t row = begin; row < end; ++row) {  // NaN compares false and is passed over
    if (column[row] < column[least]) least = row;
    if (column[row] > column[largest]) largest = row;
  }
  rows.push_back(least);
  rows.push_back(largest);
}

std::vector<std::size_t> rows_of_pieces(const Table& table, std::size_t pieces) {
  std::vector<std::size_t> all, piece;
  const std::size_t rows = table.rows();
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t begin = rows * i / pieces, end = rows * (i + 1) / pieces;
    if (begin == end) continue;
    piece.assign({begin});
    for (const Vector& column : table.columns) add_extremes(column, begin, end, piece);
    std::sort(piece.begin(), piece.end());
    piece.erase(std::unique(piece.begin(), piece.end()), piece.end());
    all.insert(all.end(), piece.begin(), piece.end());
  }
  if (all.empty() || all.back() != rows - 1) all.push_back(rows - 1);
  return all;
}

}  // namespace

std::vector<std::size_t> rows_that_show(const Table& table, std::size_t most_values) {
  const std::size_t rows = table.rows(), width = std::max<std::size_t>(1, table.columns.size());
  const std::size_t most_rows = std::max<std::size_t>(2, most_values / width);
  if (rows <= most_rows) return rows_evenly(rows, rows);
  // Extremes of columns often share a row, so more pieces may fit than the worst case lets expect.
  std::size_t pieces = std::max<std::size_t>(1, (most_rows - 1) / (2 * width + 1));
  std::vector<std::size_t> best = rows_of_pieces(table, pieces);
  for (int round = 0; round < 4; ++round) {
    const double room = static_cast<double>(most_rows) / static_cast<double>(best.size());
    if (room < 1.1) break;
    const auto more = static_cast<std::size_t>(static_cast<double>(pieces) * (1.0 + 0.9 * (room - 1.0)));
    std::vector<std::size_t> candidate = rows_of_pieces(table, more);
    if (more == pieces || candidate.size() > most_rows) break;
    pieces = more;
    best = std::move(candidate);
  }
  return best;
}

std::vector<std::size_t> rows_evenly(std::size_t rows, std::size_t most_rows) {
  std::vector<std::size_t> all(std::min(rows, most_rows));
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (rows <= most_rows || most_rows < 2) return all;
  for (std::size_t i = 0; i < most_rows; ++i) all[i] = i * (rows - 1) / (most_rows - 1);
  return all;
}

}  // namespace driftless::cli
