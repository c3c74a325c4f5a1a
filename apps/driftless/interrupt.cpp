#include "apps/driftless/interrupt.h"

#include <csignal>

namespace driftless::cli {

namespace {

volatile std::sig_atomic_t caught = 0;

extern "C" void catch_signal(int number) { caught = number; }

void install(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // the second one does what it always does
  sigaction(number, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  caught = 0;
  for (const int number : {SIGINT, SIGTERM}) install(number, catch_signal);
}

Interrupt::~Interrupt() {
  for (const int number : {SIGINT, SIGTERM}) install(number, SIG_DFL);
}

int Interrupt::signal() { return caught; }

}  // namespace driftless::cli
