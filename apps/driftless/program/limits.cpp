#include "apps/driftless/program/limits.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "apps/driftless/program/exit_codes.h"
#include "driftless/core/memory.h"

namespace driftless::cli {

namespace {

constexpr std::size_t bytes_per_element = 1000;  // of a model while it is read; measured: 600 to 1300

Limits in_force;

// "4G", "500M", "2.5e9"; 0 if it is no size.
double size_from(const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || !std::isfinite(value) || end - rest > 1) return 0.0;
  if (rest == end) return value;
  const std::size_t power = std::string_view("kMGT").find(*rest == 'K' ? 'k' : *rest);
  return power == std::string_view::npos ? 0.0 : value * std::pow(1000.0, static_cast<double>(power + 1));
}

void limit_system(std::size_t bytes) {
#if !defined(__SANITIZE_ADDRESS__)  // whose own tables are terabytes
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, bytes);
  setrlimit(RLIMIT_DATA, &limit);
#else
  (void)bytes;
#endif
}

double memory_in_use() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * static_cast<double>(usage.ru_maxrss) : 0.0;
}

}  // namespace

Limits limits_from(const std::string& memory, const std::optional<double>& work, const std::optional<double>& seconds) {
  constexpr double least = 50e6;  // below this the program itself has no room
  Limits limits;
  const double bytes = memory.empty() ? std::max(least, 0.75 * machine_memory()) : size_from(memory);
  if (!(bytes >= least) || bytes > 1e18)
    throw Stop(ExitCode::usage,
               fmt::format("--max-memory wants a size of at least 50M, such as 500M or 8G, not '{}'", memory));
  limits.memory = static_cast<std::size_t>(bytes);
  limits.reading.elements = std::max<std::size_t>(100'000, limits.memory / bytes_per_element);
  if (work && !(*work >= 1.0 && *work <= 1e18))
    throw Stop(ExitCode::usage, fmt::format("--max-work wants a number of evaluations from 1 to 1e18, not {}", *work));
  if (work) limits.reading.work = static_cast<std::size_t>(*work);
  if (seconds && !(*seconds > 0.0 && std::isfinite(*seconds)))
    throw Stop(ExitCode::usage, fmt::format("--time-limit wants a positive number of seconds, not {}", *seconds));
  limits.seconds = seconds;
  return limits;
}

const Limits& limits() { return in_force; }

void set_limits(const Limits& limits) {
  in_force = limits;
  set_memory_limit(limits.memory);
  limit_system(limits.memory);
}

std::string memory_message(const std::string& needed, const char* phase) {
  const std::string where = phase == nullptr ? "" : fmt::format("\n  where: {}", phase);
  const std::string what =
      needed.empty() ? fmt::format("no memory left: {} were in use, and the limit is {}", bytes_text(memory_in_use()),
                                   bytes_text(static_cast<double>(limits().memory)))
                     : needed;
  return fmt::format("{}{}\n  try:   a smaller model or fewer rows of output; --max-memory SIZE raises the limit", what,
                     where);
}

}  // namespace driftless::cli
