// A sentence of a summary.
#pragma once

#include <string>

namespace driftless::cli {

struct Remark {
  std::string kind;  // good, note, bad
  std::string text;
};

}  // namespace driftless::cli
