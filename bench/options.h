// The command line of the benchmark.
#pragma once

#include <optional>
#include <string>

#include "bench/contest.h"

namespace bench {

struct CommandLine {
  enum class Task { one_problem, all, scaling, long_runs, reference, check, list, help };
  Task task = Task::help;
  std::string problem = {};
  double error = 1e-8;
  bool error_given = false;
  Quantity quantity = Quantity::q;
  bool json = false, rows = false, once = false;
  std::string only = {};  // codes whose name contains this
  std::string code = {};  // the code with this name
  std::string output = "bench-results";
  ContestOptions contest = {};
};

// Throws std::runtime_error with what is wrong.
CommandLine parse(int argc, char** argv);
extern const char* const usage;

}  // namespace bench
