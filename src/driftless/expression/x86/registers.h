// Where the values of a tape are while its code is written: in registers, in memory, or both.
#pragma once

#include <vector>

#include "driftless/expression/tape.h"
#include "driftless/expression/x86/instructions.h"

namespace driftless::x86 {

// Formulas have no branches, so the value to give up its register is simply the one needed last (Belady). A value is
// stored at most once, as it never changes.
class Registers {
 public:
  Registers(const Tape& tape, Instructions& write, std::int32_t first_constant);

  // Use them in this order for each step: operands, finish_reading, then the result or a call, then finish.
  void start(std::uint32_t step);
  Register load(int k);    // operand k, in a register
  Operand operand(int k);  // operand k, where it is
  bool is_in_register(int k) const { return register_[value_at(k)] != none; }
  void finish_reading();
  Register result();
  void prepare_call();  // stores what is wanted later; register 0 and 1 get the operands
  void take_result_of_call();
  void results_in_memory(Place& first, Place& second);
  void finish();

  void write_trivial_outputs();  // those that are inputs or constants
  std::size_t scratch() const { return static_cast<std::size_t>(scratch_); }

 private:
  static constexpr std::int8_t none = -1;
  static constexpr int available = Instructions::temporary;
  static constexpr std::uint32_t never = 0xffffffff, nothing = 0xffffffff;

  void find_uses();
  std::uint32_t value_at(int k) const { return tape_.steps[step_].operand[k]; }
  bool has_place(std::uint32_t value) const { return place_[value].index >= 0; }
  void give_place(std::uint32_t value);
  Register free_register(Register preferred = none);
  Register to_be_vacated() const;
  void vacate(Register r);
  void put(std::uint32_t value, Register r);
  void store_outputs(std::uint32_t value);

  const Tape& tape_;
  Instructions& write_;
  std::uint32_t step_ = 0;
  std::vector<std::uint32_t> next_use_;   // by value: the step
  std::vector<std::uint32_t> later_use_;  // by step and operand: the use after that one
  std::vector<std::uint32_t> first_output_, next_output_;
  std::vector<std::int8_t> register_;  // by value
  std::vector<Place> place_;           // by value; index -1 if it was never stored
  std::uint32_t held_[available];      // by register: the value, or nothing
  bool pinned_[available];
  std::vector<std::int32_t> free_places_, leaving_places_;
  std::int32_t scratch_ = 0;
};

}  // namespace driftless::x86
