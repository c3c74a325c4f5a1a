// The rows of a run that are written: results by name over time.
#pragma once

#include <cmath>

#include "apps/driftless/model.h"

namespace driftless::cli {

struct Recording {
  std::vector<Quantity> columns;  // time first
  Vector values;                  // row by row

  explicit Recording(const std::vector<Quantity>& results) : columns{{"time", "s", "time"}} {
    columns.insert(columns.end(), results.begin(), results.end());
  }
  std::size_t rows() const { return values.size() / columns.size(); }
  double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }
  double last_time() const { return at(rows() - 1, 0); }
  void append(const Stretch& stretch, double t, ConstSpan state) {
    const std::size_t begin = values.size();
    values.resize(begin + columns.size());
    values[begin] = t;
    stretch.results(t, state, Span(values).subspan(begin + 1));
    if (begin > 0 && repeats_last_row()) values.resize(begin);
  }

 private:
  // An event that changes nothing but the equations ends one stretch and begins another at the same state.
  bool repeats_last_row() const {
    const double* row = values.data() + (rows() - 1) * columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double x = row[i], before = *(row + i - columns.size());
      if (std::isnan(x) != std::isnan(before) || std::abs(x - before) > 1e-14 * std::abs(x)) return false;
    }
    return true;
  }
};

}  // namespace driftless::cli
