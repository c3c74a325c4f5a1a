#include "driftless/integrate/fixed_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace driftless {

FixedGrid::FixedGrid(const SolveOptions& options) : span_(options.span) {
  const double length = span_.end - span_.begin;
  if (options.steps) {
    count_ = *options.steps;
    h_ = length / static_cast<double>(count_);
    return;
  }
  h_ = std::copysign(*options.step_size, length);
  const double exact = length / h_;
  if (exact > 1e12) throw Misuse(fmt::format("a step size of {} makes {:.3g} steps", *options.step_size, exact));
  count_ = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(exact - 1e-9)));
}

double FixedGrid::step(std::size_t i) const {
  const double h = time(i + 1) - time(i);
  return std::abs(h - h_) <= 1e-9 * std::abs(h_) ? h_ : h;
}

std::size_t FixedGrid::next_after(double t) const {
  const double passed = (t - span_.begin) / h_;
  const auto next = static_cast<std::size_t>(std::max(0.0, std::floor(passed + 1e-9))) + 1;
  return std::min(next, count_);
}

}  // namespace driftless
