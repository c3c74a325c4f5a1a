#include "driftless/autodiff/tracer.h"

#include <algorithm>
#include <iterator>

namespace driftless {

Lanes<double, traced>& Lanes<double, traced>::operator+=(const Lanes& o) {
  if (o.from.empty()) return *this;
  std::vector<std::uint32_t> both;
  std::ranges::set_union(from, o.from, std::back_inserter(both));
  from = std::move(both);
  return *this;
}

}  // namespace driftless
