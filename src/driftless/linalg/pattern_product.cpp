#include "driftless/linalg/pattern_product.h"

#include <algorithm>

#include "driftless/core/scratch.h"

namespace driftless {

PatternProduct::PatternProduct(const Pattern& a, const ConstantMatrix& left, const ConstantMatrix& right)
    : left_begin_(left.rows() + 1, 0), left_(left.entries().size()), right_(right), a_(a) {
  for (const auto& entry : left.entries()) ++left_begin_[entry.row + 1];
  for (std::size_t i = 0; i < left.rows(); ++i) left_begin_[i + 1] += left_begin_[i];
  std::vector<std::uint32_t> next(left_begin_.begin(), left_begin_.end() - 1);
  for (const auto& [row, column, value] : left.entries()) left_[next[row]++] = {column, value};
  pattern_ = {.rows = left.cols(), .cols = right.cols(), .begin = {0}, .row = {}};
  find_pattern();
  list_terms();
}

// see(column of the product, row of it, entry of A, factor), column after column.
template <class See>
void PatternProduct::see_terms(See&& see) const {
  for (const auto& [j, column, value] : right_.entries())
    for (std::uint32_t k = a_.begin[j]; k < a_.begin[j + 1]; ++k)
      for (std::uint32_t p = left_begin_[a_.row[k]]; p < left_begin_[a_.row[k] + 1]; ++p)
        see(column, left_[p].column, k, left_[p].value * value);
}

void PatternProduct::find_pattern() {
  std::vector<std::uint32_t> seen(pattern_.rows, ~0U);  // the last column that has this row
  const auto close_until = [&](std::uint32_t column) {
    while (pattern_.begin.size() <= column) {
      std::sort(pattern_.row.begin() + pattern_.begin.back(), pattern_.row.end());
      pattern_.begin.push_back(static_cast<std::uint32_t>(pattern_.row.size()));
    }
  };
  see_terms([&](std::uint32_t column, std::uint32_t row, std::uint32_t, double) {
    close_until(column);
    if (seen[row] == column) return;
    seen[row] = column;
    pattern_.row.push_back(row);
  });
  close_until(static_cast<std::uint32_t>(pattern_.cols));
}

void PatternProduct::list_terms() {
  const std::size_t most = 8 * (a_.count() + pattern_.count()) + 1000;
  std::size_t count = 0;
  see_terms([&](std::uint32_t, std::uint32_t, std::uint32_t, double) { ++count; });
  if (count > most) return;
  terms_.reserve(count);
  see_terms([&](std::uint32_t column, std::uint32_t row, std::uint32_t from, double factor) {
    const auto first = pattern_.row.begin() + pattern_.begin[column],
               last = pattern_.row.begin() + pattern_.begin[column + 1];
    terms_.push_back(
        {from, static_cast<std::uint32_t>(std::lower_bound(first, last, row) - pattern_.row.begin()), factor});
  });
}

void PatternProduct::operator()(ConstSpan a, Span product) const {
  if (!terms_.empty()) {
    std::ranges::fill(product, 0.0);
    for (const auto& [from, to, factor] : terms_) product[to] += factor * a[from];
    return;
  }
  // A column at a time, spread over all rows in between.
  Scratch scratch;
  const Span spread = scratch.take_raw<double>(pattern_.rows);
  auto entry = right_.entries().begin();
  for (std::uint32_t l = 0; l < pattern_.cols; ++l) {
    const std::size_t first = pattern_.begin[l], last = pattern_.begin[l + 1];
    for (std::size_t k = first; k < last; ++k) spread[pattern_.row[k]] = 0.0;
    for (; entry != right_.entries().end() && entry->column == l; ++entry)
      for (std::size_t k = a_.begin[entry->row]; k < a_.begin[entry->row + 1]; ++k) {
        const double value = a[k] * entry->value;
        for (std::size_t p = left_begin_[a_.row[k]]; p < left_begin_[a_.row[k] + 1]; ++p)
          spread[left_[p].column] += left_[p].value * value;
      }
    for (std::size_t k = first; k < last; ++k) product[k] = spread[pattern_.row[k]];
  }
}

}  // namespace driftless
