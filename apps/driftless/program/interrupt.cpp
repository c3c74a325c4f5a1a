#include "apps/driftless/program/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

#include "apps/driftless/output/partial_file.h"

namespace driftless::cli {

namespace {

static_assert(std::atomic<int>::is_always_lock_free);  // what a signal handler may touch
std::atomic<int> caught = 0, listeners = 0;
std::atomic<bool> told_in_json = false;
bool pipe_ignored_by_parent = false;

struct LastWords {
  int number;
  const char *words, *json;
};
#define LAST_WORDS(number, signal, status)                                                        \
  {                                                                                               \
    number, "driftless: stopped at once by " signal "\n",                                         \
        "{\n  \"status\": \"" status "\",\n  \"message\": \"stopped at once by " signal "\"\n}\n" \
  }
constexpr LastWords last_words[] = {LAST_WORDS(SIGINT, "Ctrl-C", "interrupted"),
                                    LAST_WORDS(SIGTERM, "SIGTERM", "terminated"),
                                    LAST_WORDS(SIGHUP, "SIGHUP", "hung-up")};
#undef LAST_WORDS

void write_all(int descriptor, const char* text) {
  [[maybe_unused]] const ssize_t count = write(descriptor, text, std::strlen(text));  // nobody is left to be told
}

// By the default action, so that a shell sees what happened.
void end_by(int number) {
  std::signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(number);
}

extern "C" void catch_signal(int number) {
  int none = 0;
  const bool first = caught.compare_exchange_strong(none, number);
  if (first && listeners > 0) return;
  remove_partial_files();
  for (const LastWords& one : last_words)
    if (one.number == number) {
      write_all(STDERR_FILENO, one.words);
      if (told_in_json) write_all(STDOUT_FILENO, one.json);
    }
  end_by(number);
  _exit(128 + number);
}

void install(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

bool is_ignored(int number) {
  struct sigaction action {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Interrupt::Interrupt() { ++listeners; }
Interrupt::~Interrupt() { --listeners; }
int Interrupt::signal() { return caught; }

void tell_end_in_json(bool json) { told_in_json = json; }

void catch_signals() {
  for (const int number : {SIGINT, SIGTERM}) install(number, catch_signal);
  if (!is_ignored(SIGHUP)) install(SIGHUP, catch_signal);  // nohup asks to go on
  pipe_ignored_by_parent = is_ignored(SIGPIPE);
  install(SIGPIPE, SIG_IGN);  // a reader that is gone is an error of writing: other files are still to be written
  install(SIGXFSZ, SIG_IGN);  // so is a limit on the size of files
}

ExitCode exit_code_of_signal(int number) {
  return number == SIGTERM ? ExitCode::terminated : number == SIGHUP ? ExitCode::hung_up : ExitCode::interrupted;
}

void end_by_broken_pipe() {
  if (!pipe_ignored_by_parent) end_by(SIGPIPE);
}

}  // namespace driftless::cli
