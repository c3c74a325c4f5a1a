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

// What the unknowns of a problem, in the order of its layout, are called in its model file; fewer if the last of them
// are not in it.
std::vector<std::string> names_in_model_file(const std::string& problem, const std::vector<std::string>& unknowns);

// The text of a file in examples/models/; null if there is none.
const char* shipped_text(const std::string& file);

}  // namespace driftless::cli
