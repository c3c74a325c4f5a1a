// solve --error-bound: the bound of the error that a run of index 1 carries beside its solution, by logarithmic norms.
#pragma once

#include <string>

#include "apps/driftless/model/run.h"

namespace driftless::cli {

// Stop, with the reason, unless a run of these equations can carry a bound.
void require_bound_is_possible(const Model& model, const Plan& plan, const Equations& equations);

// The rule by which a run finds its bound.
ErrorBoundRule carried_bound();

// Finite numbers only, as far as the bound holds.
bool bound_holds_to_the_end(const Run& run);
std::string bound_text(const Run& run);
Json bound_as_json(const Run& run);

}  // namespace driftless::cli
