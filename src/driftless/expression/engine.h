// What a Program runs on.
#pragma once

#include <memory>

#include "driftless/expression/tape.h"

namespace driftless {

// Immutable; run() may be called from any number of threads at once.
class ExecutionEngine {
 public:
  virtual ~ExecutionEngine() = default;
  // One array per part of the outputs. `parameters` is the table of the numbers that depend on parameters.
  virtual void run(const double* inputs, double* const* outputs, const double* parameters) const = 0;
  void run(const double* inputs, double* outputs, const double* parameters = nullptr) const {
    run(inputs, &outputs, parameters);
  }
};

std::unique_ptr<ExecutionEngine> make_interpreter(const Tape& tape);

// Null where the processor or the operating system does not allow it.
enum class InstructionSet { best, sse2 };
std::unique_ptr<ExecutionEngine> make_machine_code(const Tape& tape, InstructionSet set = InstructionSet::best);

// A number that need not be written before it is used: Scratch would set plain doubles to zero.
struct Unset {
  Unset() {}
  double value;
};

}  // namespace driftless
