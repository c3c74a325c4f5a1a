// What the processor can do beyond what every one of its kind can.
#pragma once

namespace driftless {

// AVX, but not FMA: a fused product rounds once instead of twice, and results would depend on the machine.
inline bool has_avx() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx");
#else
  return false;
#endif
}

}  // namespace driftless
