// Forces of constraints whose multipliers act in combinations: D B = C^T K for positive numbers D, one for each unit of
// rows. So it is where constraints were simplified by each other - those of two joints are then one, and a sum - or
// where forces have other directions than the constraints.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driftless/expression/number.h"

namespace driftless {

struct ForcesAtPoints {
  std::size_t rows = 0, multipliers = 0, units = 0;
  std::vector<std::size_t> unit_of_row = {};
  std::vector<Numbers> reaction = {}, gradient = {};  // B and C^T at each point, row by row
};

struct MixedMultipliers {
  Numbers unit;              // D, by unit
  std::vector<Numbers> mix;  // K at each point, row by row: a constraint each; zeros are exact
};

std::optional<MixedMultipliers> mix_multipliers(const ForcesAtPoints& forces);

}  // namespace driftless
