#include "driftless/simulate/output_times.h"

#include <fmt/format.h>

#include <cmath>

namespace driftless {

Vector times_every(double h, const TimeSpan& span) {
  if (!(h > 0.0) || !std::isfinite(h)) throw Misuse(fmt::format("rows every {}: an interval is a positive number", h));
  const double length = span.end - span.begin, count = std::abs(length) / h;
  Vector times;
  for (std::size_t i = 0; static_cast<double>(i) < count - 1e-9; ++i)
    times.push_back(span.begin + static_cast<double>(i) * std::copysign(h, length));
  times.push_back(span.end);
  return times;
}

Vector times_of_grid(std::size_t intervals, const TimeSpan& span) {
  if (intervals == 0) throw Misuse("a grid of rows needs at least one interval");
  Vector times;
  for (std::size_t i = 0; i < intervals; ++i)
    times.push_back(span.begin + (span.end - span.begin) * static_cast<double>(i) / static_cast<double>(intervals));
  times.push_back(span.end);
  return times;
}

}  // namespace driftless
