// The rows of a run: results by name over time.
#pragma once

#include <string_view>

#include "driftless/core/failure.h"
#include "driftless/simulate/model.h"

namespace driftless {

struct Recording {
  std::vector<ResultColumn> columns;  // time first
  Vector values;                      // row by row

  explicit Recording(const std::vector<ResultColumn>& results);

  std::size_t rows() const { return values.size() / columns.size(); }
  double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }
  double last_time() const { return at(rows() - 1, 0); }
  ConstSpan last_row() const { return ConstSpan(values).last(columns.size() - 1); }  // without its time
  // The number of the column of this name; Misuse, with the names that there are, if there is none.
  std::size_t column(std::string_view name) const;

  void append(const Stretch& stretch, double t, ConstSpan state);
  void cut_after(double t);  // rows of later times
  Failure not_finite(std::size_t row, std::size_t column) const;

 private:
  bool repeats_last_row() const;
};

}  // namespace driftless
