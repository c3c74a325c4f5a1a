#include "driftless/simulate/range_watch.h"

#include <fmt/format.h>

#include <cmath>

namespace driftless {

std::string words_of(const RangeViolation& violation) {
  std::string text = fmt::format("{} leaves its range: {:.6g} at t = {:.6g}, {} its {} = {:.6g}", violation.name,
                                 violation.value, violation.time, violation.above ? "above" : "below",
                                 violation.above ? "max" : "min", violation.bound);
  if (violation.first != violation.time) text += fmt::format("; first seen at t = {:.6g}", violation.first);
  return text;
}

RangeWatch::RangeWatch(const std::vector<ResultColumn>& results, const Tolerance& tolerance) {
  for (std::size_t k = 0; k < results.size(); ++k)
    for (const bool above : {false, true})
      if (const auto& bound = above ? results[k].max : results[k].min)
        bounded_.push_back({k,
                            {.name = results[k].name, .above = above, .bound = *bound},
                            10.0 * (tolerance.relative * std::abs(*bound) + tolerance.absolute * results[k].nominal)});
}

void RangeWatch::see(double t, ConstSpan values) {
  for (Bounded& one : bounded_) {
    const double x = values[one.result], sign = one.seen.above ? 1.0 : -1.0;
    if (!(sign * (x - one.seen.bound) > one.margin)) continue;
    if (!one.violated || t < one.seen.first) one.seen.first = t;
    if (!one.violated || sign * (x - one.seen.value) > 0.0) {
      one.seen.value = x;
      one.seen.time = t;
    }
    one.violated = true;
  }
}

std::vector<RangeViolation> RangeWatch::violations() const {
  std::vector<RangeViolation> all;
  for (const Bounded& one : bounded_)
    if (one.violated) all.push_back(one.seen);
  return all;
}

}  // namespace driftless
