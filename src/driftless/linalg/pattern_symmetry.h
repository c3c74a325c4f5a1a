// How symmetric a pattern is with given pivots.
#pragma once

#include <span>

#include "driftless/linalg/pattern.h"

namespace driftless {

// Are nearly all entries at both sides of the diagonal that pivots rows[k], columns[k] make?
bool is_nearly_symmetric(const Pattern& pattern, std::span<const int> rows, std::span<const int> columns);

}  // namespace driftless
