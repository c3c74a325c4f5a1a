// Checkpoints of runs, which only the library reads.
#pragma once

#include <string>
#include <vector>

namespace driftless::fuzz_results {

std::vector<std::string> checkpoints();  // one for each method

// Goes on from a checkpoint with each method; whether one took it. What is wrong with how it was refused is said.
struct Resumed {
  bool accepted = false;
  std::string complaint;
};
Resumed resume(const std::string& checkpoint);

}  // namespace driftless::fuzz_results
