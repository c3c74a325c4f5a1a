// Sanitizers make everything some thirty times slower; there the tests look at a tenth.
#pragma once

namespace driftless {

#if defined(__SANITIZE_ADDRESS__)
constexpr int effort_divisor = 10;
#else
constexpr int effort_divisor = 1;
#endif

}  // namespace driftless
