// Numbers in options that cannot be honoured are refused before any work.
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "driftless/core/failure.h"

namespace driftless {

inline void require_finite(const char* name, double x) {
  if (!std::isfinite(x)) throw Misuse(fmt::format("{} must be a number, but is {}", name, x));
}
inline void require_positive(const char* name, double x) {
  if (!(x > 0.0) || !std::isfinite(x)) throw Misuse(fmt::format("{} must be positive, but is {}", name, x));
}
inline void require_not_negative(const char* name, double x) {
  if (!(x >= 0.0) || !std::isfinite(x)) throw Misuse(fmt::format("{} must not be negative, but is {}", name, x));
}
template <class Count>
void require_at_least(Count least, const char* name, Count count) {
  if (count < least) throw Misuse(fmt::format("{} must be at least {}, but is {}", name, least, count));
}

}  // namespace driftless
