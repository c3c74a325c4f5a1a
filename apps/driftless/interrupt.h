// Ctrl-C and SIGTERM as a request to stop after the current step. A second one ends the program at once.
#pragma once

namespace driftless::cli {

class Interrupt {
 public:
  Interrupt();   // from here on signals are caught
  ~Interrupt();  // as it was before
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static int signal();  // the number of the signal that came, or 0
};

}  // namespace driftless::cli
