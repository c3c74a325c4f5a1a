// The program as a whole: which sub-command, and how it ends.
#pragma once

#include <string>
#include <vector>

#include "apps/driftless/program/command_line.h"

namespace driftless::cli {

// `driftless` itself: what may come before and after any sub-command.
struct GlobalOptions {
  bool help = false, version = false;
  std::string colour = "auto", progress = "auto";
  std::string max_memory;
  std::optional<double> max_work, time_limit;
};
std::vector<Option> global_options(GlobalOptions& target);

// A sub-command by its name, with the global options added; Stop with a suggestion if there is none.
Command command_named(const std::string& name, GlobalOptions& global);

// The sub-commands of a group, `analyse`; none if it is not one.
std::vector<Command> members_of(const std::string& group);

// The page docs/options.md, which `driftless help --markdown` prints.
std::string option_reference();

// Runs a command line, prints what it throws, returns the exit code.
int run_program(std::vector<std::string> words);

}  // namespace driftless::cli
