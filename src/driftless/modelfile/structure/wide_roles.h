// What a reader of a model calls positions and velocities, in the wide form of mechanics. The form calls coordinates
// what constraints, masses and rates read, and velocities what forces of constraints and coupled masses act on: the
// angular velocity of a skate is one of its coordinates, and where it is on the ice no more than a state.
#pragma once

#include "driftless/modelfile/structure/form_plan.h"

namespace driftless {

struct WideRoles {
  Components positions, velocities, states;
};
// A velocity is one of the form's, or enters the rate of another coordinate or state linearly together with them while
// no constraint on positions and no mass reads it. A position is a coordinate, or a state moved by velocities alone.
WideRoles wide_roles(const Graph& graph, std::uint32_t slots, const WidePlan& plan);

}  // namespace driftless
