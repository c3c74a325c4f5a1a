// Corrections in units of what they correct: an unknown of 1e-19 has not arrived because its correction is below 1e-16.
#pragma once

#include <cmath>
#include <limits>

#include "driftless/equations/layout.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

class SizeNorm {
 public:
  explicit SizeNorm(const Layout& layout) : sizes_(layout.sizes()) {}

  bool is_plain() const { return sizes_.empty(); }
  double usual(std::size_t component) const { return is_plain() ? 1.0 : sizes_[component]; }
  // |x| of one component in units of its usual size.
  double of(std::size_t component, double x) const { return std::abs(x) / usual(component); }
  // The largest of these over a part of the state that begins with this component; NaN if one of them is.
  double of_part(std::size_t begin, ConstSpan x) const {
    if (is_plain()) return max_norm(x);
    double norm = 0.0;
    bool all_numbers = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double size = of(begin + i, x[i]);
      norm = size > norm ? size : norm;
      all_numbers &= size == size;
    }
    return all_numbers ? norm : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  Vector sizes_;  // empty: all 1
};

}  // namespace driftless
