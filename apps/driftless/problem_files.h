// The reference problems as model files: which file, with which parameters.
#pragma once

#include <string>
#include <vector>

namespace driftless::cli {

struct ProblemFile {
  std::string file;                   // in examples/models/
  std::vector<std::string> settings;  // for --set
};

ProblemFile problem_file(const std::string& problem);

}  // namespace driftless::cli
