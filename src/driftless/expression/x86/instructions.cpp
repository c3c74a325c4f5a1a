#include "driftless/expression/x86/instructions.h"

#include <algorithm>

namespace driftless::x86 {

namespace {

namespace Inst = asmjit::x86::Inst;
constexpr std::uint8_t equal = 0, less = 1, less_equal = 2, unordered = 3, not_equal = 4;
constexpr int callee_saved = 5;  // with the return address, the stack is aligned to 16 bytes as calls want it

asmjit::x86::Xmm xmm(Register r) { return asmjit::x86::xmm(static_cast<std::uint32_t>(r)); }

}  // namespace

Instructions::Instructions(asmjit::x86::Assembler& assembler, bool avx, bool has_calls,
                           std::span<const std::uint32_t> part_begin)
    : asm_(assembler), avx_(avx), has_calls_(has_calls), part_begin_(part_begin) {}

// In the order of the arguments of System V; where calls would destroy these, in registers that calls preserve.
asmjit::x86::Gp Instructions::base(Array array) const {
  using namespace asmjit::x86;
  static constexpr Gp arguments[] = {rdi, rsi, rdx, rcx, r8}, preserved[] = {rbx, r13, rbp, r14, r15};
  return (has_calls_ ? preserved : arguments)[static_cast<std::size_t>(array)];
}

asmjit::x86::Mem Instructions::memory(Place place) {
  if (place.array == Array::outputs) return output(place.index);
  return asmjit::x86::ptr(base(place.array), 8 * place.index);
}

// A single part has a register for good; of several, the one used last.
asmjit::x86::Mem Instructions::output(std::int32_t index) {
  using namespace asmjit::x86;
  if (part_begin_.size() == 1) return ptr(base(Array::outputs), 8 * index);
  const auto after = std::upper_bound(part_begin_.begin(), part_begin_.end(), static_cast<std::uint32_t>(index));
  const std::ptrdiff_t part = after - part_begin_.begin() - 1;
  if (part != part_at_hand_) asm_.mov(rax, ptr(base(Array::outputs), static_cast<std::int32_t>(8 * part)));
  part_at_hand_ = part;
  return ptr(rax, 8 * (index - static_cast<std::int32_t>(after[-1])));
}

void Instructions::begin() {
  using namespace asmjit::x86;
  static constexpr Gp arguments[] = {rdi, rsi, rdx, rcx, r8};
  if (has_calls_) {
    for (int k = 0; k < callee_saved; ++k) asm_.push(base(static_cast<Array>(k)));
    for (int k = 0; k < callee_saved; ++k) asm_.mov(base(static_cast<Array>(k)), arguments[k]);
  }
  if (part_begin_.size() == 1) asm_.mov(base(Array::outputs), ptr(base(Array::outputs)));
}

void Instructions::end() {
  if (has_calls_) {
    for (int k = callee_saved; k-- > 0;) asm_.pop(base(static_cast<Array>(k)));
  }
  asm_.ret();
}

void Instructions::copy(Register to, Register from) {
  if (to != from) asm_.emit(avx_ ? Inst::kIdVmovapd : Inst::kIdMovapd, xmm(to), xmm(from));
}

void Instructions::load(Register to, Operand from) {
  if (from.in_register()) return copy(to, from.reg);
  asm_.emit(avx_ ? Inst::kIdVmovsd : Inst::kIdMovsd, xmm(to), memory(from.place));
}

void Instructions::store(Place to, Register from) {
  asm_.emit(avx_ ? Inst::kIdVmovsd : Inst::kIdMovsd, memory(to), xmm(from));
}

// to = a op b. SSE overwrites the first operand.
void Instructions::three(Id avx, Id sse, Register to, Register a, Operand b, bool commutative) {
  if (avx_) {
    if (b.in_register())
      asm_.emit(avx, xmm(to), xmm(a), xmm(b.reg));
    else
      asm_.emit(avx, xmm(to), xmm(a), memory(b.place));
    return;
  }
  if (b.in_register() && to == b.reg && to != a) {
    if (commutative) {
      asm_.emit(sse, xmm(to), xmm(a));
      return;
    }
    copy(temporary + 1, b.reg);
    b = Operand(temporary + 1);
  }
  copy(to, a);
  if (b.in_register())
    asm_.emit(sse, xmm(to), xmm(b.reg));
  else
    asm_.emit(sse, xmm(to), memory(b.place));
}

void Instructions::arithmetic(Op op, Register to, Register a, Operand b) {
  switch (op) {
    case Op::add: return three(Inst::kIdVaddsd, Inst::kIdAddsd, to, a, b, true);
    case Op::subtract: return three(Inst::kIdVsubsd, Inst::kIdSubsd, to, a, b);
    case Op::multiply: return three(Inst::kIdVmulsd, Inst::kIdMulsd, to, a, b, true);
    default: return three(Inst::kIdVdivsd, Inst::kIdDivsd, to, a, b);
  }
}

void Instructions::sqrt(Register to, Register a) {
  if (avx_)
    asm_.emit(Inst::kIdVsqrtsd, xmm(to), xmm(a), xmm(a));
  else
    asm_.emit(Inst::kIdSqrtsd, xmm(to), xmm(a));
}

void Instructions::negate(Register to, Register a) { three(Inst::kIdVxorpd, Inst::kIdXorpd, to, a, table::sign_bit); }
void Instructions::abs(Register to, Register a) {
  three(Inst::kIdVandpd, Inst::kIdAndpd, to, a, table::all_but_sign_bit);
}

void Instructions::round(Op op, Register to, Register a) {
  const asmjit::Imm mode(op == Op::floor ? 9 : 10);  // towards -inf or +inf, without the inexact flag
  asm_.emit(Inst::kIdVroundsd, xmm(to), xmm(a), xmm(a), mode);
}

// to = all bits set, or none; `to` may be no register that b is in.
void Instructions::compare(Register to, Operand a, Operand b, std::uint8_t predicate) {
  const asmjit::Imm imm(predicate);
  if (!avx_ || !a.in_register()) load(to, a);
  const Register first = avx_ && a.in_register() ? a.reg : to;
  if (avx_ && b.in_register())
    asm_.emit(Inst::kIdVcmpsd, xmm(to), xmm(first), xmm(b.reg), imm);
  else if (avx_)
    asm_.emit(Inst::kIdVcmpsd, xmm(to), xmm(first), memory(b.place), imm);
  else if (b.in_register())
    asm_.emit(Inst::kIdCmpsd, xmm(to), xmm(b.reg), imm);
  else
    asm_.emit(Inst::kIdCmpsd, xmm(to), memory(b.place), imm);
}

// to = mask ? yes : no, in which the mask is lost.
void Instructions::blend(Register to, Register mask, Register yes, Register no) {
  if (avx_) {
    asm_.emit(Inst::kIdVblendvpd, xmm(to), xmm(no), xmm(yes), xmm(mask));
    return;
  }
  const Register other = mask == temporary ? temporary + 1 : temporary;
  copy(other, mask);
  asm_.emit(Inst::kIdAndnpd, xmm(other), xmm(no));
  asm_.emit(Inst::kIdAndpd, xmm(mask), xmm(yes));
  asm_.emit(Inst::kIdOrpd, xmm(mask), xmm(other));
  copy(to, mask);
}

void Instructions::relation(Op op, Register to, Register a, Operand b) {
  const std::uint8_t predicate = op == Op::less         ? less
                                 : op == Op::less_equal ? less_equal
                                 : op == Op::equal      ? equal
                                                        : not_equal;
  compare(temporary, a, b, predicate);
  three(Inst::kIdVandpd, Inst::kIdAndpd, to, temporary, table::one);
}

void Instructions::logical_not(Register to, Register a) { relation(Op::equal, to, a, table::zero); }

void Instructions::conjunction(Op op, Register to, Register a, Register b) {
  compare(temporary, a, table::zero, not_equal);
  compare(temporary + 1, b, table::zero, not_equal);
  if (op == Op::logical_and)
    three(Inst::kIdVandpd, Inst::kIdAndpd, temporary, temporary, temporary + 1);
  else
    three(Inst::kIdVorpd, Inst::kIdOrpd, temporary, temporary, temporary + 1);
  three(Inst::kIdVandpd, Inst::kIdAndpd, to, temporary, table::one);
}

// (0 < a) - (a < 0)
void Instructions::sign(Register to, Register a) {
  compare(temporary, table::zero, a, less);
  compare(temporary + 1, a, table::zero, less);
  three(Inst::kIdVandpd, Inst::kIdAndpd, temporary, temporary, table::one);
  three(Inst::kIdVandpd, Inst::kIdAndpd, temporary + 1, temporary + 1, table::one);
  three(Inst::kIdVsubsd, Inst::kIdSubsd, to, temporary, temporary + 1);
}

// The instructions give b if either is NaN, so a NaN in a has to be put back.
void Instructions::extremum(Op op, Register to, Register a, Operand b) {
  if (op == Op::min)
    three(Inst::kIdVminsd, Inst::kIdMinsd, temporary, a, b);
  else
    three(Inst::kIdVmaxsd, Inst::kIdMaxsd, temporary, a, b);
  compare(temporary + 1, a, a, unordered);
  if (avx_) return blend(to, temporary + 1, a, temporary);
  // Without a blend: the mask keeps a NaN of a, and a sum with it is NaN; elsewhere -0 is added, which changes nothing.
  asm_.emit(Inst::kIdAndpd, xmm(temporary + 1), xmm(a));
  asm_.emit(Inst::kIdOrpd, xmm(temporary + 1), memory(table::sign_bit));
  three(Inst::kIdVaddsd, Inst::kIdAddsd, to, temporary, temporary + 1);
}

void Instructions::select(Register to, Operand condition, Register yes, Register no) {
  compare(temporary, condition, table::zero, not_equal);
  blend(to, temporary, yes, no);
}

void Instructions::call(Place function) {
  asm_.call(memory(function));
  part_at_hand_ = -1;
}

void Instructions::call_with_results_in(Place function, Place first, Place second) {
  asm_.lea(asmjit::x86::rdi, memory(first));
  asm_.lea(asmjit::x86::rsi, memory(second));
  call(function);
}

}  // namespace driftless::x86
