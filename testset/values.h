// For writing states down.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <limits>

#include "driftless/equations/layout.h"

namespace driftless::testset {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

inline Vector joined(std::initializer_list<Vector> parts) {
  Vector all;
  for (const Vector& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// first, first + 1, ... put into a pattern such as "x{}".
inline Names numbered(std::string_view pattern, std::size_t first, std::size_t count) {
  Names names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format(fmt::runtime(pattern), first + i));
  return names;
}

}  // namespace driftless::testset
