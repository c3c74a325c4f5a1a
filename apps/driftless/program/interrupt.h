// Ctrl-C, SIGTERM and SIGHUP, all alike: a request to stop where somebody listens, the end where nobody does. The
// second one is the end in any case. Whichever way it ends, no partial files stay.
#pragma once

#include "apps/driftless/program/exit_codes.h"

namespace driftless::cli {

// As long as one of these lives, the first signal is a request: there is something that can still be written.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static int signal();  // the number of the signal that came, or 0
};

void catch_signals();  // once, when the program starts

// While nothing stands on standard output yet: whether an end at once is told there as a JSON object.
void tell_end_in_json(bool json);

ExitCode exit_code_of_signal(int number);  // interrupted, terminated, hung-up

// As if SIGPIPE had never been caught: programs whose reader is gone end by it. Returns if the parent ignores it.
void end_by_broken_pipe();

}  // namespace driftless::cli
