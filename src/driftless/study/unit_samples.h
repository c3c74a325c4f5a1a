// Points between 0 and 1: sample i of a dimension as a function of seed, dimension and i, with no memory.
#pragma once

#include <cstdint>

#include "driftless/study/study_design.h"

namespace driftless {

inline constexpr std::size_t most_sobol_dimensions = 21;

// 0 < share < 1. Latin: one in each of `count` strata of equal size. Sobol: the sequence with the direction numbers of
// Joe and Kuo (new-joe-kuo-6), moved by a digital shift that depends on the seed.
double unit_sample(SampleRule sampling, std::uint64_t seed, std::size_t dimension, std::size_t i, std::size_t count);

// Point i of Sobol's sequence without a shift, as 32 binary digits. dimension < most_sobol_dimensions.
std::uint32_t sobol_digits(std::size_t dimension, std::uint32_t i);

// Where i goes in a permutation of 0, ..., count - 1 that depends on the key.
std::uint64_t permuted(std::uint64_t key, std::uint64_t i, std::uint64_t count);

}  // namespace driftless
