#include "driftless/expression/engine.h"

namespace driftless {

std::unique_ptr<ExecutionEngine> make_machine_code(const Tape&, InstructionSet) { return nullptr; }

}  // namespace driftless
