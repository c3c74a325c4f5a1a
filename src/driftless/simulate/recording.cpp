#include "driftless/simulate/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace driftless {

Recording::Recording(const std::vector<ResultColumn>& results) : columns{{"time", "s", "time"}} {
  columns.insert(columns.end(), results.begin(), results.end());
}

std::size_t Recording::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &ResultColumn::name);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  std::string known;
  for (const ResultColumn& quantity : columns) known += (known.empty() ? "" : ", ") + quantity.name;
  throw Misuse(fmt::format("there is no result '{}'; there are: {}", name, known));
}

void Recording::append(const Stretch& stretch, double t, ConstSpan state) {
  const std::size_t begin = values.size();
  values.resize(begin + columns.size());
  values[begin] = t;
  stretch.results(t, state, Span(values).subspan(begin + 1));
  if (begin > 0 && repeats_last_row()) values.resize(begin);
}

// An event that changes nothing but the equations ends one stretch and begins another at the same state.
void Recording::cut_after(double t) {
  std::size_t keep = rows();
  while (keep > 0 && at(keep - 1, 0) > t) --keep;
  values.resize(keep * columns.size());
}

Failure Recording::not_finite(std::size_t row, std::size_t column) const {
  return {.kind = FailureKind::not_finite,
          .time = at(row, 0),
          .what_happened = "a result is not finite",
          .what_to_try = "guard its formula (division by zero, square root or logarithm of a negative number)",
          .where = columns[column].name};
}

bool Recording::repeats_last_row() const {
  const double* row = values.data() + (rows() - 1) * columns.size();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double x = row[i], before = *(row + i - columns.size());
    if (std::isnan(x) != std::isnan(before) || std::abs(x - before) > 1e-14 * std::abs(x)) return false;
  }
  return true;
}

}  // namespace driftless
