// What the tests of sparse problems share.
#pragma once

#include <algorithm>
#include <cmath>

#include "driftless/core/matrix.h"
#include "driftless/core/memory.h"

namespace driftless {

// Relative to 1 or the size of the numbers.
inline double difference(ConstSpan a, ConstSpan b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(a[i] - b[i]) / std::max(1.0, std::abs(b[i])));
  return worst;
}

class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes) : before_(memory_limit()) { set_memory_limit(bytes); }
  ~MemoryLimit() { set_memory_limit(before_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  std::size_t before_;
};

}  // namespace driftless
