// The few instructions that formulas need, with AVX or with SSE2 alone.
#pragma once

#include <asmjit/x86.h>

#include <cstdint>
#include <span>

#include "driftless/expression/graph.h"

namespace driftless::x86 {

using Register = int;  // the number of an xmm register

// The arrays that the code works on. The table holds masks, constants and addresses of functions; outputs may be in
// several parts, counted through; parameters are numbers that every run brings with it.
enum class Array : std::uint8_t { inputs, outputs, scratch, table, parameters };
struct Place {
  Array array;
  std::int32_t index;
};

struct Operand {
  Operand(Register r) : reg(r) {}
  Operand(Place p) : place(p) {}
  bool in_register() const { return reg >= 0; }
  Register reg = -1;
  Place place{};
};

// What the table begins with; masks are as wide as a register, and aligned.
namespace table {
inline constexpr Place sign_bit{Array::table, 0}, all_but_sign_bit{Array::table, 2}, one{Array::table, 4},
    zero{Array::table, 6};
inline constexpr std::uint64_t beginning[] = {0x8000000000000000,
                                              0x8000000000000000,
                                              0x7fffffffffffffff,
                                              0x7fffffffffffffff,
                                              0x3ff0000000000000,
                                              0x3ff0000000000000,
                                              0,
                                              0};
}  // namespace table

// One scalar operation per method. Results may go to a register that is also a source, unless said otherwise. Registers
// `temporary` and `temporary + 1` are free for use inside of the methods and between them.
class Instructions {
 public:
  static constexpr Register temporary = 14;

  // `part_begin`: the first output of each part.
  Instructions(asmjit::x86::Assembler& assembler, bool avx, bool has_calls, std::span<const std::uint32_t> part_begin);

  bool has_rounding() const { return avx_; }

  void load(Register to, Operand from);
  void store(Place to, Register from);
  void arithmetic(Op op, Register to, Register a, Operand b);  // add, subtract, multiply, divide
  void sqrt(Register to, Register a);
  void negate(Register to, Register a);
  void abs(Register to, Register a);
  void sign(Register to, Register a);
  void round(Op op, Register to, Register a);  // floor, ceil
  void extremum(Op op, Register to, Register a, Operand b);
  void relation(Op op, Register to, Register a, Operand b);
  void logical_not(Register to, Register a);
  void conjunction(Op op, Register to, Register a, Register b);
  void select(Register to, Operand condition, Register yes, Register no);
  // Arguments in registers 0 and 1, the result in 0, everything else is lost.
  void call(Place function);
  void call_with_results_in(Place function, Place first, Place second);

  void begin();
  void end();

 private:
  using Id = asmjit::InstId;
  asmjit::x86::Mem memory(Place place);
  asmjit::x86::Mem output(std::int32_t index);
  asmjit::x86::Gp base(Array array) const;
  void copy(Register to, Register from);
  void three(Id avx, Id sse, Register to, Register a, Operand b, bool commutative = false);
  void compare(Register to, Operand a, Operand b, std::uint8_t predicate);
  void blend(Register to, Register mask, Register yes, Register no);

  asmjit::x86::Assembler& asm_;
  bool avx_, has_calls_;
  std::span<const std::uint32_t> part_begin_;
  std::ptrdiff_t part_at_hand_ = -1;  // whose address is in the register for it
};

}  // namespace driftless::x86
