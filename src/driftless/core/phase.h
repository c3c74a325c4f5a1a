// Which phase long work is in, for whoever shows progress or has to say where it ended.
#pragma once

#include <exception>
#include <utility>

namespace driftless {

// Called by the thread that works, a few times in a run; null: none.
class PhaseListener {
 public:
  virtual ~PhaseListener() = default;
  virtual void enter(const char* phase) = 0;
};

// What the work of this thread is about while it lives: "reading", "start". One that an exception leaves stays the last
// that was heard of, so that a message can name it.
class Phase {
 public:
  explicit Phase(const char* name)  // a literal: it is kept
      : before_(std::exchange(current_, name)), exceptions_(std::uncaught_exceptions()) {
    if (listener_ != nullptr) listener_->enter(name);
  }
  ~Phase() {
    current_ = before_;
    if (listener_ != nullptr && std::uncaught_exceptions() == exceptions_) listener_->enter(before_);
  }
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  static void tell(PhaseListener* listener) { listener_ = listener; }  // of this thread's phases; null: nobody

 private:
  const char* const before_;
  const int exceptions_;
  static inline constinit thread_local const char* current_ = nullptr;
  static inline constinit thread_local PhaseListener* listener_ = nullptr;
};

}  // namespace driftless
