#include "driftless/core/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>

namespace driftless {

namespace {

constexpr std::size_t not_asked = 0;
constinit std::atomic<std::size_t> limit = not_asked;

// What every machine has, and is not asked for: that would take a small problem longer than its steps.
constexpr double little = 1e6;
bool fits(double bytes) {
  return (limit == not_asked && bytes <= little) || bytes <= static_cast<double>(memory_limit());
}

}  // namespace

void set_memory_limit(std::size_t bytes) { limit = bytes; }

std::size_t memory_limit() {
  if (limit == not_asked) {
    std::size_t expected = not_asked;
    limit.compare_exchange_strong(expected, static_cast<std::size_t>(0.75 * machine_memory()));
  }
  return limit;
}

double machine_memory() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    double allowed = 0.0;
    if (std::ifstream(path) >> allowed && allowed > 0.0) bytes = std::min(bytes, allowed);
  }
  for (const auto kind : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit allowed{};
    if (getrlimit(kind, &allowed) == 0 && allowed.rlim_cur != RLIM_INFINITY)
      bytes = std::min(bytes, static_cast<double>(allowed.rlim_cur));
  }
  return bytes;
}

std::string bytes_text(double bytes) {
  const char* unit = "bytes";
  for (const char* next : {"kB", "MB", "GB", "TB", "PB"}) {
    if (bytes < 1000.0) break;
    bytes /= 1000.0;
    unit = next;
  }
  return fmt::format("{:.3g} {}", bytes, unit);
}

namespace {

std::string too_much(double bytes, std::string_view what) {
  return fmt::format("{} would take {} of memory, and the limit is {}", what, bytes_text(bytes),
                     bytes_text(static_cast<double>(memory_limit())));
}

}  // namespace

void require_memory(double bytes, std::string_view what) {
  if (!fits(bytes)) throw OutOfMemory(too_much(bytes, what));
}

void refuse_for_memory(std::string_view what) {
  throw OutOfMemory(
      fmt::format("{} had no room in memory; the limit is {}", what, bytes_text(static_cast<double>(memory_limit()))));
}

void require_dense(std::size_t n, double count, std::string_view what) {
  const double bytes = 8.0 * static_cast<double>(n) * static_cast<double>(n) * count;
  if (fits(bytes)) return;
  throw OutOfMemory(too_much(bytes, fmt::format("{} ({} unknowns, dense matrices)", what, n)) +
                    "; matrices are sparse where each equation contains few unknowns: what many of them share, a mean "
                    "or a sum, can be an unknown of its own");
}

}  // namespace driftless
