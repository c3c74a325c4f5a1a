// A matrix of numbers from a CSV file, with or without a line of names.
#pragma once

#include <string>

#include "driftless/core/matrix.h"
#include "driftless/equations/layout.h"

namespace driftless::cli {

struct MatrixFile {
  std::string path;
  Matrix values;
  Names names = {};  // of the columns; none if the first line has numbers
};

// Stop, with file, line and field, unless it is a table of finite numbers. Fields are separated by commas, semicolons
// or blanks; # begins a comment.
MatrixFile read_matrix(const std::string& path);

}  // namespace driftless::cli
