// Numbers in named columns of equal length.
#pragma once

#include <string>
#include <vector>

#include "driftless/core/matrix.h"

namespace driftless::cli {

struct Table {
  std::vector<std::string> names = {};
  std::vector<Vector> columns = {};

  std::size_t rows() const { return columns.empty() ? 0 : columns[0].size(); }
  void add(std::string name, Vector values) {
    names.push_back(std::move(name));
    columns.push_back(std::move(values));
  }
  Table selected(const std::vector<std::size_t>& rows) const {
    Table result{.names = names};
    for (const Vector& column : columns) {
      Vector& kept = result.columns.emplace_back();
      kept.reserve(rows.size());
      for (const std::size_t row : rows) kept.push_back(column[row]);
    }
    return result;
  }
};

}  // namespace driftless::cli
