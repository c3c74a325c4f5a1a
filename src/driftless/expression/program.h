// Expressions made executable: machine code where the processor is known, an interpreter everywhere.
#pragma once

#include <memory>
#include <span>

#include "driftless/expression/graph.h"

namespace driftless {

enum class Engine { automatic, machine_code, interpreter };

// A function from inputs to outputs. Immutable; any number of threads may run it at once.
class Program {
 public:
  Program();  // no outputs
  // outputs[i] of run() will be the value of expression i. Nodes that no output needs are left out.
  Program(const Graph& graph, std::span<const Expr> outputs, Engine engine = Engine::automatic);

  // Reads the slots of the graph it was made from, writes one number per output; inputs and outputs must not overlap.
  void run(const double* inputs, double* outputs) const;

  std::size_t outputs() const;
  std::size_t operations() const;
  Engine engine() const;  // machine_code or interpreter

 private:
  class Code;
  std::shared_ptr<const Code> code_;
};

bool machine_code_available();

}  // namespace driftless
