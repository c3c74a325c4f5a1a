// A model while its solution slides along the root of a relation (A. F. Filippov, Differential Equations with
// Discontinuous Righthand Sides, 1988, sections 4 and 5): where both sides push towards the surface root = 0, the
// solution stays on it, with a mixture of both.
#pragma once

#include <span>

#include "driftless/modelfile/flatten/flat_model.h"

namespace driftless {

// A surface and what is mixed on it.
struct SlidingSurface {
  std::uint32_t relation = 0;  // its slot
  std::uint32_t weight = 0;    // slot of the unknown weight of the side where the root is positive
  struct Side {
    std::uint32_t relation;  // all with the same root, up to a factor
    double below, above;     // their values on both sides
  };
  std::vector<Side> sides;
  std::size_t ends_below = 0, ends_above = 0;  // relations of the sliding model: the weight is less than 0, more than 1
};

struct SlidingModel {
  FlatModel model;
  std::vector<SlidingSurface> surfaces;
};

// The values on both sides of relations with the same root as this one, up to a constant factor.
std::vector<SlidingSurface::Side> sides_of(const FlatModel& model, std::size_t relation);

// The model with the relations of these slots on their roots. A weight w becomes an unknown, root = 0 an equation, and
// an equation 0 = r that depends on the relation becomes 0 = w r(above) + (1 - w) r(below). It has no start of its own.
// None if a discrete variable, a when or an assertion depends on one of the relations: these know true and false only.
std::optional<SlidingModel> sliding_model(FlatModel model, std::span<const std::uint32_t> relations);

}  // namespace driftless
