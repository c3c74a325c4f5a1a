// Long computations: on how many cores, who hears of progress, who may stop them. Results do not depend on any of it.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "driftless/core/failure.h"
#include "driftless/core/stop.h"

namespace driftless {

struct Progress {
  std::string_view what;  // "transient", "manifold", ...
  std::size_t done = 0, total = 0;
};

struct Execution {
  unsigned threads = 0;                                // 0: as many as there are cores
  std::function<void(const Progress&)> progress = {};  // never called by two threads at once
  std::stop_token stop = {};
};

// Calls body(i) for every i < count, on several threads, in no particular order. An exception of the body is thrown
// here once all threads have ended: that of the smallest index. False if the caller stopped it before all were done.
bool for_each_index(const Execution& execution, std::string_view what, std::size_t count,
                    const std::function<void(std::size_t)>& body);

// The same, with this before what it is that makes progress: "h = 0.1: runs".
Execution labelled(const Execution& execution, std::string label);

// What an analysis returns when it was stopped.
Failure stopped_analysis(std::string_view what);

}  // namespace driftless
