// No bound.
#pragma once

#include <limits>

namespace driftless {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace driftless
