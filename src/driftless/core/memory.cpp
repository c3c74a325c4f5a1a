#include "driftless/core/memory.h"

#include <fmt/format.h>

#include <atomic>
#include <limits>

namespace driftless {

namespace {

constinit std::atomic<std::size_t> limit = std::numeric_limits<std::size_t>::max();

}  // namespace

void set_memory_limit(std::size_t bytes) { limit = bytes; }
std::size_t memory_limit() { return limit; }

std::string bytes_text(double bytes) {
  const char* unit = "bytes";
  for (const char* next : {"kB", "MB", "GB", "TB", "PB"}) {
    if (bytes < 1000.0) break;
    bytes /= 1000.0;
    unit = next;
  }
  return fmt::format("{:.3g} {}", bytes, unit);
}

void require_memory(double bytes, std::string_view what) {
  if (bytes <= static_cast<double>(memory_limit())) return;
  throw OutOfMemory(fmt::format("{} would take {} of memory, and the limit is {}", what, bytes_text(bytes),
                                bytes_text(static_cast<double>(memory_limit()))));
}

void require_dense(std::size_t n, double count, std::string_view what) {
  const auto size = static_cast<double>(n);
  if (size * size * 8.0 * count <= static_cast<double>(memory_limit())) return;
  require_memory(size * size * 8.0 * count, fmt::format("{} ({} unknowns, dense matrices)", what, n));
}

}  // namespace driftless
