// Another program, started without a shell: its input from memory, its output back into memory.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace driftless::cli {

struct ChildResult {
  bool started = false;
  int exit_code = -1;  // 128 + its number if a signal ended it
  std::string out, err;
};

// The program is looked for in PATH. Signals of the terminal do not reach it: what it draws is to be written. One that
// neither reads nor writes for so long hangs, and is ended.
ChildResult run_child(const std::vector<std::string>& words, const std::string& input,
                      std::chrono::milliseconds patience = std::chrono::minutes(5));

}  // namespace driftless::cli
