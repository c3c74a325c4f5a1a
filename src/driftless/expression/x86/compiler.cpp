#include "driftless/expression/x86/compiler.h"

#include <bit>
#include <cmath>
#include <map>

#include "driftless/expression/operations.h"
#include "driftless/expression/x86/registers.h"

namespace driftless::x86 {

namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

#ifdef __GLIBC__
constexpr auto sine_and_cosine = &::sincos;
#else
void sine_and_cosine(double x, double* sine, double* cosine) {
  *sine = std::sin(x);
  *cosine = std::cos(x);
}
#endif

// The function to call, or 0 for what is an instruction.
std::uint64_t function_for(const Tape::Step& step, bool has_rounding) {
  const auto unary = [](Unary f) { return std::bit_cast<std::uint64_t>(f); };
  const auto binary = [](Binary f) { return std::bit_cast<std::uint64_t>(f); };
  if (step.with_cosine)
    return std::bit_cast<std::uint64_t>(static_cast<void (*)(double, double*, double*)>(sine_and_cosine));
  switch (step.op) {
    case Op::exp: return unary(std::exp);
    case Op::log: return unary(std::log);
    case Op::log10: return unary(std::log10);
    case Op::sin: return unary(std::sin);
    case Op::cos: return unary(std::cos);
    case Op::tan: return unary(std::tan);
    case Op::asin: return unary(std::asin);
    case Op::acos: return unary(std::acos);
    case Op::atan: return unary(std::atan);
    case Op::sinh: return unary(std::sinh);
    case Op::cosh: return unary(std::cosh);
    case Op::tanh: return unary(std::tanh);
    case Op::floor: return has_rounding ? 0 : unary(std::floor);
    case Op::ceil: return has_rounding ? 0 : unary(std::ceil);
    case Op::power: return binary(std::pow);
    case Op::atan2: return binary(std::atan2);
    default: return 0;
  }
}

bool has_calls(const Tape& tape, bool has_rounding) {
  for (const auto& step : tape.steps)
    if (function_for(step, has_rounding) != 0) return true;
  return false;
}

class Compilation {
 public:
  Compilation(const Tape& tape, asmjit::x86::Assembler& assembler, bool avx)
      : tape_(tape),
        write_(assembler, avx, has_calls(tape, avx), tape.part_begin),
        table_(std::begin(table::beginning), std::end(table::beginning)),
        registers_(tape, write_, static_cast<std::int32_t>(table_.size())) {
    for (const double constant : tape.constants) table_.push_back(std::bit_cast<std::uint64_t>(constant));
  }

  void run() {
    write_.begin();
    for (std::uint32_t step = 0; step < tape_.steps.size(); ++step) {
      registers_.start(step);
      translate(tape_.steps[step]);
      registers_.finish();
    }
    registers_.write_trivial_outputs();
    write_.end();
  }
  std::vector<std::uint64_t> table() && { return std::move(table_); }
  std::size_t scratch() const { return registers_.scratch(); }

 private:
  void translate(const Tape::Step& step);
  void call(const Tape::Step& step, std::uint64_t function);
  void unary(Op op);
  void binary(Op op);
  void select();

  const Tape& tape_;
  Instructions write_;
  std::vector<std::uint64_t> table_;
  Registers registers_;
  std::map<std::uint64_t, Place> functions_;
};

void Compilation::translate(const Tape::Step& step) {
  if (const std::uint64_t function = function_for(step, write_.has_rounding()); function != 0)
    call(step, function);
  else if (step.op == Op::select)
    select();
  else if (step.operands() == 1)
    unary(step.op);
  else
    binary(step.op);
}

void Compilation::call(const Tape::Step& step, std::uint64_t function) {
  const auto [found, is_new] =
      functions_.try_emplace(function, Place{Array::table, static_cast<std::int32_t>(table_.size())});
  if (is_new) table_.push_back(function);
  registers_.prepare_call();
  if (step.with_cosine) {
    Place sine, cosine;
    registers_.results_in_memory(sine, cosine);
    write_.call_with_results_in(found->second, sine, cosine);
  } else {
    write_.call(found->second);
    registers_.take_result_of_call();
  }
}

void Compilation::unary(Op op) {
  const Register a = registers_.load(0);
  registers_.finish_reading();
  const Register to = registers_.result();
  switch (op) {
    case Op::negate: return write_.negate(to, a);
    case Op::abs: return write_.abs(to, a);
    case Op::sign: return write_.sign(to, a);
    case Op::sqrt: return write_.sqrt(to, a);
    case Op::logical_not: return write_.logical_not(to, a);
    default: return write_.round(op, to, a);
  }
}

void Compilation::binary(Op op) {
  // The first operand has to be in a register, the second may be in memory.
  int first = 0, second = 1;
  const bool may_swap = op == Op::add || op == Op::multiply;
  if (may_swap && !registers_.is_in_register(0) && registers_.is_in_register(1)) std::swap(first, second);
  registers_.operand(second);  // stays if it is in a register
  const Register a = registers_.load(first);
  const bool logical = op == Op::logical_and || op == Op::logical_or;
  const Operand b = logical ? Operand(registers_.load(second)) : registers_.operand(second);
  registers_.finish_reading();
  const Register to = registers_.result();
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide: return write_.arithmetic(op, to, a, b);
    case Op::min:
    case Op::max: return write_.extremum(op, to, a, b);
    case Op::logical_and:
    case Op::logical_or: return write_.conjunction(op, to, a, b.reg);
    default: return write_.relation(op, to, a, b);
  }
}

void Compilation::select() {
  const Register yes = registers_.load(1), no = registers_.load(2);
  const Operand condition = registers_.operand(0);
  registers_.finish_reading();
  write_.select(registers_.result(), condition, yes, no);
}

}  // namespace

bool processor_has_avx() { return asmjit::CpuInfo::host().features().x86().hasAVX(); }

Code compile(const Tape& tape, bool avx) {
  // Displacements have 32 bits.
  constexpr std::size_t most = std::size_t{1} << 27;
  for (const std::uint32_t slot : tape.slots)
    if (slot >= most) return {};
  if (tape.values >= most || tape.outputs.size() >= most) return {};

  asmjit::CodeHolder holder;
  if (holder.init(asmjit::Environment::host()) != asmjit::kErrorOk) return {};
  struct FirstError : asmjit::ErrorHandler {
    void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { happened = true; }
    bool happened = false;
  } error;
  holder.setErrorHandler(&error);
  asmjit::x86::Assembler assembler(&holder);
  Compilation compilation(tape, assembler, avx);
  compilation.run();
  if (error.happened) return {};
  const asmjit::CodeBuffer& buffer = holder.textSection()->buffer();
  const auto scratch = compilation.scratch();
  return {{buffer.data(), buffer.data() + buffer.size()}, std::move(compilation).table(), scratch};
}

}  // namespace driftless::x86
