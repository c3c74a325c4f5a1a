// What a tolerance cannot see: a run in which every unknown stays below its absolute tolerance has no error control.
#pragma once

#include <optional>

#include "driftless/equations/layout.h"
#include "driftless/integrate/adaptive_options.h"
#include "driftless/integrate/run_warning.h"

namespace driftless {

class ToleranceWatch {
 public:
  ToleranceWatch(const Layout& layout, const Tolerance& tolerance);

  void see(ConstSpan state) {
    if (!stood_out_) look(state);
  }
  // A solution that is 0 throughout is not suspicious.
  std::optional<RunWarning> verdict() const;

 private:
  void look(ConstSpan state);

  const Layout& layout_;
  const Tolerance& tolerance_;
  std::size_t count_;  // components before the multipliers
  bool stood_out_ = false;
  double share_ = 0.0;       // the largest |x_i| / absolute_i so far,
  std::size_t largest_ = 0;  // and whose it is
  double size_ = 0.0;        // its |x_i|
};

}  // namespace driftless
