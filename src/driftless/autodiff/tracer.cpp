#include "driftless/autodiff/tracer.h"

#include <algorithm>
#include <iterator>

namespace driftless {

namespace {

void unite(TraceList& list, const TraceList& other) {
  if (other.empty()) return;
  if (list.empty() || list.back() < other.front()) {  // a sum over all unknowns takes no longer than its terms
    list.insert(list.end(), other.begin(), other.end());
    return;
  }
  TraceList both;
  std::ranges::set_union(list, other, std::back_inserter(both));
  list = std::move(both);
}

}  // namespace

Lanes<double, traced>& Lanes<double, traced>::operator+=(const Lanes& o) {
  unite(from, o.from);
  unite(curved, o.curved);
  return *this;
}

}  // namespace driftless
