// The rows of a run that are written: results by name over time.
#pragma once

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
  }
};

}  // namespace driftless::cli
