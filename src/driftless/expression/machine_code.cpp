#ifndef DRIFTLESS_NO_MACHINE_CODE

#include "driftless/core/scratch.h"
#include "driftless/expression/engine.h"
#include "driftless/expression/x86/compiler.h"
#include "driftless/expression/x86/executable.h"

namespace driftless {

namespace {

class MachineCode final : public ExecutionEngine {
 public:
  MachineCode(x86::Executable executable, x86::Code code)
      : executable_(std::move(executable)), table_(std::move(code.table)), scratch_(code.scratch) {
    function_ = reinterpret_cast<Function>(executable_.address());
  }

  void run(const double* inputs, double* const* outputs, const double* parameters) const override {
    if (scratch_ <= small) {
      Unset local[small];
      return function_(inputs, outputs, &local[0].value, table_.data(), parameters);
    }
    Scratch scratch;
    function_(inputs, outputs, &scratch.take<Unset>(scratch_)[0].value, table_.data(), parameters);
  }

 private:
  using Function = void (*)(const double*, double* const*, double*, const std::uint64_t*, const double*);
  static constexpr std::size_t small = 256;
  x86::Executable executable_;
  std::vector<std::uint64_t> table_;
  std::size_t scratch_;
  Function function_;
};

}  // namespace

std::unique_ptr<ExecutionEngine> make_machine_code(const Tape& tape, InstructionSet set) {
  x86::Code code = x86::compile(tape, set == InstructionSet::best && x86::processor_has_avx());
  if (code.bytes.empty()) return nullptr;
  x86::Executable executable(code.bytes);
  if (!executable) return nullptr;
  return std::make_unique<MachineCode>(std::move(executable), std::move(code));
}

}  // namespace driftless

#else

#include "driftless/expression/engine.h"

namespace driftless {

std::unique_ptr<ExecutionEngine> make_machine_code(const Tape&, InstructionSet) { return nullptr; }

}  // namespace driftless

#endif
