// Who watches a command at work: the time limit ends it, and so do signals where they are requests (Interrupt); on a
// terminal a line says, from the first second on, what it is at.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "apps/driftless/output/terminal.h"
#include "apps/driftless/program/exit_codes.h"
#include "driftless/core/phase.h"
#include "driftless/core/stop.h"

namespace driftless::cli {

class Watch final : public PhaseListener {
 public:
  // There is one at a time. Work of this thread is subject to it as long as it lives.
  Watch(const std::string& command, When progress, std::optional<double> seconds);
  ~Watch() override;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  static Watch* current();

  std::stop_token stop() const { return stop_.get_token(); }
  bool is_due();                       // whether a line is wanted and the last one is old
  void show(const std::string& line);  // instead of the name of the phase
  void clear();                        // before anything else is printed
  void enter(const char* phase) override;

 private:
  using Clock = std::chrono::steady_clock;
  void listen(const std::stop_token& end);
  void print(const std::string& line);
  void repeat();

  std::stop_source stop_;
  const std::optional<double> seconds_;
  const bool wanted_;
  const Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;  // of what follows
  std::condition_variable_any wake_;
  Clock::time_point first_, due_;  // when a line may be shown: at all, and again
  const char* phase_ = nullptr;
  Clock::time_point phase_begin_;
  std::string line_;  // the last that was shown in this phase; empty: its name
  bool shown_ = false;
  std::jthread listener_;  // it uses what is above
  const StopScope scope_;
};

// After a stop: how the program ends, and why in words.
ExitCode stop_code();
std::string stop_reason();
// The phase that the last command was in, or left by an exception; between two phases the command; null if none.
const char* last_phase();
void clear_progress();  // of the watch at hand, if there is one

}  // namespace driftless::cli
