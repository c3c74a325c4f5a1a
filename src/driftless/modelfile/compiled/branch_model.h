// A model in which some branches are fixed, so that its form is made for these alone.
#pragma once

#include <span>

#include "driftless/modelfile/flatten/flat_model.h"

namespace driftless {

struct FixedBranch {
  Expr select;
  bool yes = false;
};

// The model with these selects replaced by their branches. States of the model as a whole stay unknowns (`kept`):
// what an impulse does to one of them it does through all of its inertia. FlatEquation::written has all branches.
FlatModel branch_model(FlatModel model, std::span<const FixedBranch> branches, std::span<const std::size_t> states);

}  // namespace driftless
