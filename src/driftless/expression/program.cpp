#include "driftless/expression/program.h"

#include <algorithm>

#include "driftless/core/failure.h"
#include "driftless/core/stop.h"
#include "driftless/expression/engine.h"

namespace driftless {

Program::Program() = default;

Program::Program(const Graph& graph, std::span<const Expr> outputs, Engine engine,
                 std::span<const std::size_t> part_sizes)
    : outputs_(outputs.size()) {
  check_stop();
  const Tape tape(graph, outputs, part_sizes);
  operations_ = tape.operations();
  if (!tape.slots.empty()) inputs_ = *std::max_element(tape.slots.begin(), tape.slots.end()) + std::size_t{1};
  if (engine != Engine::interpreter) {
    code_ = make_machine_code(tape);
    if (code_ != nullptr) engine_ = Engine::machine_code;
    if (code_ == nullptr && engine == Engine::machine_code) throw Misuse("no machine code on this computer");
  }
  if (code_ == nullptr) code_ = make_interpreter(tape);
}

void Program::run_into(const double* inputs, double* const* parts) const {
  if (code_ != nullptr) code_->run(inputs, parts);
}

bool machine_code_available() {
  static const bool available = make_machine_code(Tape({}, {})) != nullptr;
  return available;
}

}  // namespace driftless
