// The certificate of a run that is made of several stretches.
#pragma once

#include <algorithm>

#include "driftless/integrate/certificate.h"

namespace driftless {

inline void extend(Certificate& all, const Certificate& one) {
  all.position = std::max(all.position, one.position);
  all.velocity = std::max(all.velocity, one.velocity);
  all.acceleration = std::max(all.acceleration, one.acceleration);
  if (one.condition > all.condition) all.condition_time = one.condition_time;
  all.condition = std::max(all.condition, one.condition);
  if (!all.energy_at_start) all.energy_at_start = one.energy_at_start;
  if (one.energy_change) all.energy_change = std::max(all.energy_change.value_or(0.0), *one.energy_change);
}

}  // namespace driftless
