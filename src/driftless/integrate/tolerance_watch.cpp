#include "driftless/integrate/tolerance_watch.h"

#include <fmt/format.h>

#include <cmath>

namespace driftless {

ToleranceWatch::ToleranceWatch(const Layout& layout, const Tolerance& tolerance)
    : layout_(layout), tolerance_(tolerance), count_(layout.size() - layout.size_of("lambda")) {}

void ToleranceWatch::look(ConstSpan state) {
  for (std::size_t i = 0; i < count_; ++i) {
    const double share = std::abs(state[i]) / tolerance_.absolute_of(i);
    if (!(share > share_)) continue;
    share_ = share;
    largest_ = i;
    size_ = std::abs(state[i]);
    stood_out_ = share > 1.0;
    if (stood_out_) return;
  }
}

std::optional<RunWarning> ToleranceWatch::verdict() const {
  if (stood_out_ || share_ == 0.0) return std::nullopt;
  return RunWarning{
      RunWarning::Kind::below_absolute_tolerance,
      fmt::format(
          "all unknowns stay below their absolute tolerance, so their errors are not controlled: {}, the largest by "
          "that measure, reaches {:.3g}, and its absolute tolerance is {:.3g}; give nominal values of the size "
          "of the unknowns, or a smaller absolute tolerance",
          layout_.name(largest_), size_, tolerance_.absolute_of(largest_))};
}

}  // namespace driftless
