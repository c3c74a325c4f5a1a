#include "apps/driftless/commands/analysis_watch.h"

#include <fmt/format.h>

#include "apps/driftless/output/terminal.h"
#include "apps/driftless/program/exit_codes.h"
#include "apps/driftless/program/watch.h"

namespace driftless::cli {

Execution AnalysisWatch::execution(const std::string& label) const {
  Execution plain{.threads = threads_};
  if (Watch* const watch = Watch::current(); watch != nullptr) {
    plain.stop = watch->stop();
    plain.progress = [watch](const driftless::Progress& progress) {
      if (watch->is_due()) watch->show(fmt::format("{}: {} of {}", progress.what, progress.done, progress.total));
    };
  }
  return label.empty() ? plain : driftless::labelled(plain, label);
}

void AnalysisWatch::clear() { clear_progress(); }

void AnalysisWatch::give_up(const Failure& failure) {
  if (failure.kind == FailureKind::stopped)
    throw Stop(stop_code(), fmt::format("{}: {}", failure.what_happened, stop_reason()));
  throw FailedRun(failure);
}

}  // namespace driftless::cli
