#include "apps/driftless/analysis_watch.h"

#include <fmt/format.h>

#include "apps/driftless/exit_codes.h"
#include "apps/driftless/terminal.h"

namespace driftless::cli {

namespace {

using namespace std::chrono_literals;

}  // namespace

AnalysisWatch::AnalysisWatch(const AnalysisRequest& request)
    : threads_(static_cast<unsigned>(request.threads.value_or(0))) {
  const When when = when_from(request.progress);
  wanted_ = when == When::always || (when == When::automatic && is_terminal(stderr));
  due_ = Clock::now() + (when == When::always ? 0s : 1s);
  listener_ = std::jthread([this](const std::stop_token& end) {
    while (!end.stop_requested() && Interrupt::signal() == 0) std::this_thread::sleep_for(20ms);
    if (Interrupt::signal() != 0) stop_.request_stop();
  });
}

AnalysisWatch::~AnalysisWatch() { clear(); }

Execution AnalysisWatch::execution(const std::string& label) {
  const Execution plain{.threads = threads_,
                        .progress = [this](const driftless::Progress& progress) { show(progress); },
                        .stop = stop_.get_token()};
  return label.empty() ? plain : driftless::labelled(plain, label);
}

void AnalysisWatch::show(const driftless::Progress& progress) {
  const auto now = Clock::now();
  if (!wanted_ || now < due_) return;
  clear_line(stderr);
  say(stderr, "{}: {} of {}", progress.what, progress.done, progress.total);
  std::fflush(stderr);
  shown_ = true;
  due_ = now + 100ms;
}

void AnalysisWatch::clear() {
  if (shown_) clear_line(stderr);
  shown_ = false;
}

void AnalysisWatch::give_up(const Failure& failure) {
  if (failure.kind == FailureKind::stopped) throw Stop(exit_code_of_signal(Interrupt::signal()), failure.message());
  throw FailedRun(failure);
}

}  // namespace driftless::cli
