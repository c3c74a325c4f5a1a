#include "driftless/expression/x86/registers.h"

#include <algorithm>

namespace driftless::x86 {

Registers::Registers(const Tape& tape, Instructions& write, std::int32_t first_constant)
    : tape_(tape),
      write_(write),
      first_output_(tape.values, nothing),
      next_output_(tape.outputs.size(), nothing),
      register_(tape.values, none),
      place_(tape.values, Place{Array::scratch, -1}) {
  std::fill(std::begin(held_), std::end(held_), nothing);
  std::fill(std::begin(pinned_), std::end(pinned_), false);
  std::uint32_t value = 0;
  for (const std::uint32_t slot : tape.slots) place_[value++] = {Array::inputs, static_cast<std::int32_t>(slot)};
  for (std::size_t k = 0; k < tape.constants.size(); ++k)
    place_[value++] = {Array::table, first_constant + static_cast<std::int32_t>(k)};
  for (const Tape::Parameter& one : tape.parameters)
    place_[tape.first_constant() + one.constant] = {Array::parameters, static_cast<std::int32_t>(one.place)};
  for (auto k = static_cast<std::uint32_t>(tape.outputs.size()); k-- > 0;) {
    next_output_[k] = first_output_[tape.outputs[k]];
    first_output_[tape.outputs[k]] = k;
  }
  find_uses();
}

void Registers::find_uses() {
  next_use_.assign(tape_.values, never);
  later_use_.assign(3 * tape_.steps.size(), never);
  for (auto step = static_cast<std::uint32_t>(tape_.steps.size()); step-- > 0;) {
    const auto& operand = tape_.steps[step].operand;
    const int operands = tape_.steps[step].operands();
    for (int k = 0; k < operands; ++k) later_use_[3 * step + static_cast<std::uint32_t>(k)] = next_use_[operand[k]];
    for (int k = 0; k < operands; ++k) next_use_[operand[k]] = step;
  }
}

void Registers::start(std::uint32_t step) { step_ = step; }

Operand Registers::operand(int k) {
  const std::uint32_t value = value_at(k);
  if (register_[value] == none) return place_[value];
  pinned_[register_[value]] = true;
  return Register{register_[value]};
}

Register Registers::load(int k) {
  const std::uint32_t value = value_at(k);
  if (register_[value] == none) {
    const Register r = free_register();
    write_.load(r, place_[value]);
    put(value, r);
  }
  pinned_[register_[value]] = true;
  return register_[value];
}

// Registers of values that are not needed any more become free; their places only after the step, as the result may
// need one before the operands are read.
void Registers::finish_reading() {
  std::fill(std::begin(pinned_), std::end(pinned_), false);
  for (int k = 0; k < tape_.steps[step_].operands(); ++k) {
    const std::uint32_t value = value_at(k);
    if (next_use_[value] != step_) continue;  // the same value as an earlier operand
    next_use_[value] = later_use_[3 * step_ + static_cast<std::uint32_t>(k)];
    if (next_use_[value] != never) continue;
    if (register_[value] != none) held_[register_[value]] = nothing;
    if (place_[value].array == Array::scratch && has_place(value)) leaving_places_.push_back(place_[value].index);
  }
}

Register Registers::result() {
  const Register first{register_[value_at(0)]};
  const Register r = free_register(first);
  put(tape_.steps[step_].result, r);
  return r;
}

void Registers::put(std::uint32_t value, Register r) {
  held_[r] = value;
  register_[value] = static_cast<std::int8_t>(r);
}

Register Registers::free_register(Register preferred) {
  if (preferred != none && held_[preferred] == nothing) return preferred;
  for (Register r = 0; r < available; ++r)
    if (held_[r] == nothing) return r;
  const Register r = to_be_vacated();
  vacate(r);
  return r;
}

// Values that are in memory anyway go first: reading them there costs next to nothing.
Register Registers::to_be_vacated() const {
  Register best = none;
  bool best_is_stored = false;
  for (Register r = 0; r < available; ++r) {
    if (pinned_[r]) continue;
    const bool stored = has_place(held_[r]);
    if (best != none && stored < best_is_stored) continue;
    if (best == none || stored > best_is_stored || next_use_[held_[r]] > next_use_[held_[best]]) best = r;
    best_is_stored = has_place(held_[best]);
  }
  return best;
}

void Registers::vacate(Register r) {
  const std::uint32_t value = held_[r];
  if (!has_place(value)) {
    give_place(value);
    write_.store(place_[value], r);
  }
  register_[value] = none;
  held_[r] = nothing;
}

void Registers::give_place(std::uint32_t value) {
  if (free_places_.empty()) {
    place_[value] = {Array::scratch, scratch_++};
  } else {
    place_[value] = {Array::scratch, free_places_.back()};
    free_places_.pop_back();
  }
}

void Registers::prepare_call() {
  const int operands = tape_.steps[step_].operands();
  Operand argument[2] = {operand(0), operands > 1 ? operand(1) : operand(0)};
  finish_reading();
  for (Register r = 0; r < available; ++r)
    if (held_[r] != nothing) vacate(r);
  if (operands > 1) {
    if (argument[0].reg == 1) {
      write_.load(Instructions::temporary, argument[0]);
      argument[0] = Operand(Register{Instructions::temporary});
    }
    write_.load(1, argument[1]);
  }
  write_.load(0, argument[0]);
}

void Registers::take_result_of_call() { put(tape_.steps[step_].result, 0); }

void Registers::results_in_memory(Place& first, Place& second) {
  const std::uint32_t result = tape_.steps[step_].result;
  for (const std::uint32_t value : {result, result + 1}) {
    if (first_output_[value] != nothing)
      place_[value] = {Array::outputs, static_cast<std::int32_t>(first_output_[value])};
    else
      give_place(value);
  }
  first = place_[result];
  second = place_[result + 1];
}

// An output is stored as soon as it is known, and can be read there again.
void Registers::store_outputs(std::uint32_t value) {
  const std::uint32_t first = first_output_[value];
  if (first == nothing) return;
  const bool in_first = register_[value] == none;
  const Register r = in_first ? Register{Instructions::temporary} : Register{register_[value]};
  if (in_first && next_output_[first] != nothing) write_.load(r, place_[value]);
  for (std::uint32_t k = in_first ? next_output_[first] : first; k != nothing; k = next_output_[k])
    write_.store({Array::outputs, static_cast<std::int32_t>(k)}, r);
  if (!has_place(value)) place_[value] = {Array::outputs, static_cast<std::int32_t>(first)};
}

void Registers::finish() {
  const auto& step = tape_.steps[step_];
  for (std::uint32_t value = step.result; value < step.result + static_cast<std::uint32_t>(step.results()); ++value) {
    store_outputs(value);
    if (next_use_[value] == never && register_[value] != none) held_[register_[value]] = nothing;
  }
  free_places_.insert(free_places_.end(), leaving_places_.begin(), leaving_places_.end());
  leaving_places_.clear();
}

void Registers::write_trivial_outputs() {
  for (std::uint32_t value = 0; value < tape_.first_result(); ++value) {
    if (first_output_[value] == nothing) continue;
    write_.load(Instructions::temporary, place_[value]);
    for (std::uint32_t k = first_output_[value]; k != nothing; k = next_output_[k])
      write_.store({Array::outputs, static_cast<std::int32_t>(k)}, Instructions::temporary);
  }
}

}  // namespace driftless::x86
