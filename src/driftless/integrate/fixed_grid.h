// Times begin + i h, the last one exactly the end.
#pragma once

#include "driftless/integrate/solve.h"

namespace driftless {

class FixedGrid {
 public:
  explicit FixedGrid(const SolveOptions& options);  // Misuse if the steps asked for make no sense

  std::size_t count() const { return count_; }  // of steps
  double time(std::size_t i) const { return i == count_ ? span_.end : span_.begin + static_cast<double>(i) * h_; }
  // The nominal size wherever the grid is uniform, so that steps do not differ by rounding of the times.
  double step(std::size_t i) const;
  std::size_t next_after(double t) const;  // the number of the next time, which is further away than rounding

 private:
  TimeSpan span_;
  std::size_t count_ = 0;
  double h_ = 0.0;
};

}  // namespace driftless
