#include "driftless/expression/program.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "driftless/core/failure.h"
#include "driftless/core/stop.h"
#include "driftless/expression/engine.h"
#include "driftless/expression/parameter_trace.h"

namespace driftless {

namespace {
std::atomic<std::size_t> machine_programs{0};
}
std::size_t programs_made() { return machine_programs.load(std::memory_order_relaxed); }

Program::Program() = default;

Program::Program(const Graph& graph, std::span<const Expr> outputs, Engine engine,
                 std::span<const std::size_t> part_sizes)
    : outputs_(outputs.size()) {
  check_stop();
  const Tape tape(graph, outputs, part_sizes);
  operations_ = tape.operations();
  if (!tape.slots.empty()) inputs_ = *std::max_element(tape.slots.begin(), tape.slots.end()) + std::size_t{1};
  if (graph.trace()) version_ = graph.trace()->version();
  if (engine != Engine::interpreter) {
    code_ = make_machine_code(tape);
    if (code_ != nullptr) {
      engine_ = Engine::machine_code;
      machine_programs.fetch_add(1, std::memory_order_relaxed);
    }
    if (code_ == nullptr && engine == Engine::machine_code) throw Misuse("no machine code on this computer");
  }
  if (code_ == nullptr) code_ = make_interpreter(tape);
}

void Program::run_into(const double* inputs, double* const* parts, const ParameterValues* parameters) const {
  if (code_ == nullptr) return;
  if (version_ > 0 && parameters == nullptr) throw std::logic_error("a program without the values of its parameters");
  code_->run(inputs, parts, version_ > 0 ? parameters->table(version_) : nullptr);
}

bool machine_code_available() {
  static const bool available = make_machine_code(Tape({}, {})) != nullptr;
  return available;
}

}  // namespace driftless
