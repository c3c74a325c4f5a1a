#include "apps/driftless/output/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/program/watch.h"

namespace driftless::cli {

namespace {

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(std::llround(seconds));
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

void Progress::see(double t) {
  ++steps_;
  Watch* const watch = Watch::current();
  if (watch == nullptr || !watch->is_due()) return;
  constexpr int width = 24;
  const double part = std::clamp((t - span_.begin) / (span_.end - span_.begin), 0.0, 1.0);
  const int filled = static_cast<int>(part * width);
  const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
  const std::string rest =
      part > 0.0 && elapsed / part < 1e6 ? "about " + clock_text(elapsed / part - elapsed) + " left" : "";
  watch->show(fmt::format("[{:=<{}}{: <{}}] {:3.0f} %  t = {:.6g}  {} steps  {}", "", filled, "", width - filled,
                          100.0 * part, t, steps_, rest));
}

}  // namespace driftless::cli
