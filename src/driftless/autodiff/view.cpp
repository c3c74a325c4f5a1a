#include "driftless/autodiff/view.h"

#include <fmt/format.h>

#include "driftless/core/failure.h"

namespace driftless {

void throw_index(std::size_t index, std::size_t size) {
  if (size == 0) throw Misuse(fmt::format("index {} used where there are no components", index));
  throw Misuse(fmt::format("index {} used where there are {} components (0 to {})", index, size, size - 1));
}

}  // namespace driftless
