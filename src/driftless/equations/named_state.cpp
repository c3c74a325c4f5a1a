#include "driftless/equations/named_state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/core/failure.h"

namespace driftless {

std::size_t place_of(std::string_view name, const Names& names, std::string_view what) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw Misuse(fmt::format("there is no {} '{}'; there {}: {}", what, name, names.size() == 1 ? "is" : "are",
                           names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace driftless
