// Up to which sizes special code takes the place of the general one: all of these numbers are here. What each saves is
// in docs/measurements.md, "Small systems".
#pragma once

#include <cstddef>

namespace driftless::cut_off {

// Mechanisms, [M G^T; G 0]: up to so many coordinates M and G are whole matrices, beyond only what differs from zero;
inline constexpr std::size_t whole_coordinates = 16;
// in a whole one, up to so many constraints have the width of their rows known to the compiler (FixedKkt);
inline constexpr std::size_t fixed_constraints = 8;
// and for so few of both, everything is (SmallKkt).
inline constexpr std::size_t small_coordinates = 6, small_constraints = 3;

// Beyond so many rows of a sparse L D L^T, where products go to is worked out as it is needed: a list would have an
// entry for each multiplication.
inline constexpr std::size_t listed_elimination = 1000;

// Linear systems that are dense whatever is zero in them, so that nobody need know their pattern; beyond, the pattern
// decides (linear_system.cpp).
inline constexpr std::size_t dense_system = 40;

// LU with all sizes known to the compiler.
inline constexpr std::size_t small_lu = 10;

// One LU for all stages together costs (s n)^3 / 3 instead of (2 s - 1) n^3 / 3: unknowns of all stages.
inline constexpr std::size_t coupled_stages = 48;

}  // namespace driftless::cut_off
