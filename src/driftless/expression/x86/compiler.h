// Machine code from a tape.
#pragma once

#include <cstdint>
#include <vector>

#include "driftless/expression/tape.h"

namespace driftless::x86 {

struct Code {
  std::vector<std::uint8_t> bytes;   // position independent: void(inputs, addresses of the outputs, scratch, table)
  std::vector<std::uint64_t> table;  // to be aligned to 16 bytes
  std::size_t scratch = 0;           // numbers
};

bool processor_has_avx();

// Empty bytes if it cannot be done.
Code compile(const Tape& tape, bool avx);

}  // namespace driftless::x86
