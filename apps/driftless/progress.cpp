#include "apps/driftless/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/terminal.h"

namespace driftless::cli {

namespace {

using namespace std::chrono_literals;

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(std::llround(seconds));
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

Progress::Progress(TimeSpan span, When when)
    : span_(span),
      wanted_(when == When::always || (when == When::automatic && is_terminal(stderr))),
      begin_(Clock::now()),
      due_(begin_ + (when == When::always ? 0s : 1s)) {}

void Progress::see(double t) {
  ++steps_;
  if (!wanted_) return;
  if (const auto now = Clock::now(); now >= due_) show(t, now);
}

void Progress::show(double t, Clock::time_point now) {
  constexpr int width = 24;
  const double part = std::clamp((t - span_.begin) / (span_.end - span_.begin), 0.0, 1.0);
  const int filled = static_cast<int>(part * width);
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  std::string rest =
      part > 0.0 && elapsed / part < 1e6 ? "about " + clock_text(elapsed / part - elapsed) + " left" : "";
  clear_line(stderr);
  say(stderr, "[{:=<{}}{: <{}}] {:3.0f} %  t = {:.6g}  {} steps  {}", "", filled, "", width - filled, 100.0 * part, t,
      steps_, rest);
  std::fflush(stderr);
  shown_ = true;
  due_ = now + 100ms;
}

void Progress::clear() {
  if (shown_) clear_line(stderr);
  shown_ = false;
}

}  // namespace driftless::cli
