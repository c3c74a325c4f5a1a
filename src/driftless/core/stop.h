// Whether long work may go on. Who starts it says, once, who may stop it; every layer below asks check_stop(), and
// nothing has to be handed on.
#pragma once

#include <exception>
#include <stop_token>
#include <utility>

#include "driftless/core/stop_request.h"

namespace driftless {

// Thrown by check_stop() after somebody asked for an end. Functions that return a Failure turn it into one.
class Stopped final : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped by the caller"; }
};

// While it lives, work of this thread ends soon after `stop` is requested. They may be nested: each one counts.
class StopScope {
 public:
  explicit StopScope(StopRequest stop) : StopScope(current_, std::move(stop)) {}
  // In a thread that works for another one: what that one is subject to, and perhaps more.
  StopScope(const StopScope* outer, StopRequest stop) : stop_(std::move(stop)), outer_(outer), before_(current_) {
    current_ = this;
  }
  ~StopScope() { current_ = before_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  static const StopScope* current() { return current_; }

 private:
  friend void check_stop();
  friend class Undisturbed;

  const StopRequest stop_;
  const StopScope* const outer_;  // asked as well
  const StopScope* const before_;
  static inline constinit thread_local const StopScope* current_ = nullptr;
};

// What a stop leaves to do - tell how far it came, write it down - is not stopped in turn.
class Undisturbed {
 public:
  Undisturbed() : before_(StopScope::current_) { StopScope::current_ = nullptr; }
  ~Undisturbed() { StopScope::current_ = before_; }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  const StopScope* const before_;
};

// Stopped, if this thread's work is to end; some nanoseconds otherwise.
inline void check_stop() {
  for (const StopScope* scope = StopScope::current_; scope != nullptr; scope = scope->outer_)
    if (scope->stop_.stop_requested()) throw Stopped();
}

// For loops whose rounds are short: looks once in `rounds` calls, a power of two.
template <unsigned rounds>
class SparseCheck {
 public:
  void operator()() {
    static_assert((rounds & (rounds - 1)) == 0);
    if ((++count_ & (rounds - 1)) == 0) check_stop();
  }

 private:
  unsigned count_ = 0;
};

}  // namespace driftless
