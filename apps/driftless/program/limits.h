// What a command may take: memory, work of a model's own functions, time. Set once, from the command line.
#pragma once

#include <optional>
#include <string>

#include "driftless/modelfile/flatten/read_model.h"

namespace driftless::cli {

struct Limits {
  std::size_t memory = 0;         // bytes
  ReadLimits reading = {};        // of a model
  std::optional<double> seconds;  // of the whole command
};

// From --max-memory (4G, 500M), --max-work and --time-limit; Stop if they are no numbers. Without them: three quarters
// of the memory of the machine, the reader's own limit of work, any time.
Limits limits_from(const std::string& memory, const std::optional<double>& work, const std::optional<double>& seconds);

const Limits& limits();          // those in force
void set_limits(const Limits&);  // the system keeps the one of memory from now on

// "no memory left" in words: what needed it, how much there was, what to do.
std::string memory_message(const std::string& needed, const char* phase);

}  // namespace driftless::cli
