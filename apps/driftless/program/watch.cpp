#include "apps/driftless/program/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "apps/driftless/program/interrupt.h"
#include "apps/driftless/program/limits.h"

namespace driftless::cli {

namespace {

using namespace std::chrono_literals;

Watch* the_watch = nullptr;
std::atomic<const char*> the_phase = nullptr;
std::string the_command;
std::atomic<bool> out_of_time = false;

}  // namespace

Watch::Watch(const std::string& command, When progress, std::optional<double> seconds)
    : seconds_(seconds),
      wanted_(progress == When::always || (progress == When::automatic && is_terminal(stderr))),
      first_(begin_ + (progress == When::always ? 0s : 1s)),
      due_(first_),
      phase_begin_(begin_),
      listener_([this](const std::stop_token& end) { listen(end); }),
      scope_(stop_.get_token()) {
  the_phase = nullptr;
  the_command = command;
  out_of_time = false;
  the_watch = this;
  Phase::tell(this);
}

Watch::~Watch() {
  the_watch = nullptr;
  Phase::tell(nullptr);
  listener_.request_stop();
  listener_.join();
  clear();
}

Watch* Watch::current() { return the_watch; }

// Signals only set a flag; here it becomes a request, and here time passes.
void Watch::listen(const std::stop_token& end) {
  std::unique_lock lock(mutex_);
  while (!end.stop_requested()) {
    wake_.wait_for(lock, end, 20ms, [] { return false; });
    const auto now = Clock::now();
    if (seconds_ && std::chrono::duration<double>(now - begin_).count() > *seconds_ && !stop_.stop_requested()) {
      out_of_time = true;
      stop_.request_stop();
    }
    if (Interrupt::signal() != 0) stop_.request_stop();
    if (wanted_ && now >= due_ && phase_ != nullptr) repeat();
  }
}

// While nothing is heard from the work itself, the time that it takes shows that it goes on.
void Watch::repeat() {
  const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - phase_begin_);
  print(fmt::format("{}  {} s", line_.empty() ? phase_ : line_, elapsed.count()));
}

void Watch::print(const std::string& line) {
  clear_line(stderr);
  say(stderr, "{}", line);
  std::fflush(stderr);
  shown_ = true;
  due_ = Clock::now() + 500ms;
}

bool Watch::is_due() {
  if (!wanted_) return false;
  const std::lock_guard lock(mutex_);
  if (shown_ && line_.empty()) return true;              // only the phase was shown: the work itself knows more
  return Clock::now() >= due_ - (shown_ ? 400ms : 0ms);  // and may speak more often
}

void Watch::show(const std::string& line) {
  const std::lock_guard lock(mutex_);
  line_ = line;
  print(line);
}

void Watch::clear() {
  const std::lock_guard lock(mutex_);
  if (shown_) clear_line(stderr);
  shown_ = false;
}

void Watch::enter(const char* phase) {
  the_phase = phase;
  const std::lock_guard lock(mutex_);
  phase_ = phase;
  phase_begin_ = Clock::now();
  due_ = std::max(first_, phase_begin_);
  line_.clear();
  if (shown_ && phase == nullptr) {
    clear_line(stderr);
    shown_ = false;
  }
}

ExitCode stop_code() {
  return out_of_time && Interrupt::signal() == 0 ? ExitCode::limit : exit_code_of_signal(Interrupt::signal());
}

std::string stop_reason() {
  if (out_of_time && Interrupt::signal() == 0)
    return fmt::format("the time limit of {:g} s is over (--time-limit)", limits().seconds.value_or(0.0));
  return "a signal asked to stop";
}

const char* last_phase() {
  const char* const phase = the_phase;
  return phase != nullptr || the_command.empty() ? phase : the_command.c_str();
}

void clear_progress() {
  if (the_watch != nullptr) the_watch->clear();
}

}  // namespace driftless::cli
