// Expressions made executable: machine code where the processor is known, an interpreter everywhere.
#pragma once

#include <memory>
#include <span>

#include "driftless/expression/graph.h"

namespace driftless {

class ExecutionEngine;
class ParameterValues;

enum class Engine { automatic, machine_code, interpreter };

// A function from inputs to outputs. Immutable; any number of threads may run it at once. Copies share the code.
class Program {
 public:
  Program();  // no outputs
  // outputs[i] of run() will be the value of expression i. Nodes that no output needs are left out. A function together
  // with its Jacobian is one program of both: what they share is computed once. Engine::machine_code throws Misuse
  // where there is none; both engines give the same numbers to the last bit (of NaN,
  // that it is one).
  // `part_sizes` (may be empty) cut the outputs into arrays that lie anywhere.
  Program(const Graph& graph, std::span<const Expr> outputs, Engine engine = Engine::automatic,
          std::span<const std::size_t> part_sizes = {});

  // Reads the slots of the graph it was made from, writes one number per output; inputs and outputs must not overlap.
  // Allocates nothing but once per thread, for intermediate values.
  // `parameters` of this run; std::logic_error if they are needed and not given.
  void run(const double* inputs, double* outputs, const ParameterValues* parameters = nullptr) const {
    run_into(inputs, &outputs, parameters);
  }
  void run_into(const double* inputs, double* const* parts, const ParameterValues* parameters = nullptr) const;

  std::size_t outputs() const { return outputs_; }
  std::size_t operations() const { return operations_; }  // per run
  std::size_t inputs() const { return inputs_; }          // the highest slot that is read, plus one
  Engine engine() const { return engine_; }               // machine_code or interpreter

 private:
  std::shared_ptr<const ExecutionEngine> code_;
  std::size_t outputs_ = 0, operations_ = 0, inputs_ = 0;
  std::size_t version_ = 0;  // of the trace of its parameters, if it has one
  Engine engine_ = Engine::interpreter;
};

std::size_t programs_made();  // how many there were in this process, on machine code

// Whether this is an x86-64 processor with the System V calling convention, and memory may be made executable.
bool machine_code_available();

}  // namespace driftless
