// Somebody who watches a long analysis: a line on the terminal, and signals as a request to stop.
#pragma once

#include <chrono>
#include <stop_token>
#include <thread>

#include "apps/driftless/analysis_request.h"
#include "apps/driftless/interrupt.h"
#include "apps/driftless/terminal.h"
#include "driftless/core/result.h"

namespace driftless::cli {

class AnalysisWatch {
 public:
  explicit AnalysisWatch(const AnalysisRequest& request);
  ~AnalysisWatch();
  AnalysisWatch(const AnalysisWatch&) = delete;
  AnalysisWatch& operator=(const AnalysisWatch&) = delete;

  // For the library; `label` comes before what makes progress. Valid as long as this object.
  Execution execution(const std::string& label = {});

  // The value, with the line cleared; FailedRun, or Stop after SIGTERM, if there is none.
  template <class Value>
  Value value_of(Result<Value> result) {
    clear();
    if (!result.ok()) give_up(result.failure());
    return std::move(*result);
  }

 private:
  using Clock = std::chrono::steady_clock;
  void show(const driftless::Progress& progress);
  void clear();
  [[noreturn]] void give_up(const Failure& failure);

  Interrupt interrupt_;
  std::stop_source stop_;
  unsigned threads_;
  bool wanted_, shown_ = false;
  Clock::time_point due_;
  std::jthread listener_;  // last: it uses what is above
};

}  // namespace driftless::cli
