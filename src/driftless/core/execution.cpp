#include "driftless/core/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "driftless/core/stop.h"

namespace driftless {

namespace {

// What the threads share. Work is handed out one index at a time, as runs differ much in length.
class Crew {
 public:
  Crew(const Execution& execution, std::string_view what, std::size_t count,
       const std::function<void(std::size_t)>& body)
      : execution_(execution), what_(what), count_(count), body_(body) {}

  // On the thread that called, or on one that works for it.
  void work() {
    const StopScope scope(caller_, execution_.stop);
    while (!execution_.stop.stop_requested() && !failed_) {
      const std::size_t i = next_++;
      if (i >= count_) return;
      try {
        body_(i);
        report();
      } catch (const Stopped&) {
        return;
      } catch (...) {
        keep(i, std::current_exception());
      }
    }
  }

  bool finish() {
    if (error_) std::rethrow_exception(error_);
    return done_ == count_;
  }

 private:
  void keep(std::size_t i, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_ || i < error_index_) {
      error_ = std::move(error);
      error_index_ = i;
    }
    failed_ = true;
  }
  void report() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (execution_.progress) execution_.progress({what_, done_, count_});
  }

  const Execution& execution_;
  const StopScope* const caller_ = StopScope::current();
  const std::string_view what_;
  const std::size_t count_;
  const std::function<void(std::size_t)>& body_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::size_t done_ = 0, error_index_ = 0;
  std::exception_ptr error_;
};

}  // namespace

bool for_each_index(const Execution& execution, std::string_view what, std::size_t count,
                    const std::function<void(std::size_t)>& body) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t threads = std::min<std::size_t>(execution.threads > 0 ? execution.threads : cores, count);
  Crew crew(execution, what, count, body);
  {
    std::vector<std::jthread> helpers;
    for (std::size_t k = 1; k < threads; ++k) helpers.emplace_back([&] { crew.work(); });
    crew.work();
  }
  return crew.finish();
}

Execution labelled(const Execution& execution, std::string label) {
  Execution result = execution;
  if (execution.progress)
    result.progress = [inner = execution.progress, label = std::move(label)](const Progress& progress) {
      const std::string what = fmt::format("{}: {}", label, progress.what);
      inner({what, progress.done, progress.total});
    };
  return result;
}

Failure stopped_analysis(std::string_view what) {
  return {.kind = FailureKind::stopped,
          .what_happened = fmt::format("{} was stopped by the caller", what),
          .what_to_try = "",
          .where = ""};
}

}  // namespace driftless
