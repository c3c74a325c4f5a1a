// A long analysis under the watch: how many cores, how far it is, and what ends it.
#pragma once

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/program/interrupt.h"
#include "driftless/core/phase.h"
#include "driftless/core/result.h"

namespace driftless::cli {

class AnalysisWatch {
 public:
  explicit AnalysisWatch(const AnalysisRequest& request)
      : threads_(static_cast<unsigned>(request.threads.value_or(0))) {}

  // For the library; `label` comes before what makes progress.
  Execution execution(const std::string& label = {}) const;

  // The value, with the line cleared; FailedRun, or Stop after a stop, if there is none.
  template <class Value>
  Value value_of(Result<Value> result) {
    clear();
    if (!result.ok()) give_up(result.failure());
    return std::move(*result);
  }

 private:
  static void clear();
  [[noreturn]] static void give_up(const Failure& failure);

  const Interrupt interrupt_ = {};
  unsigned threads_;
  const Phase phase_{"analysis"};
};

}  // namespace driftless::cli
