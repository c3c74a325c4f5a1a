// Relations inside noEvent: where a solution crawls along one of them, they are made to be events.
#pragma once

#include "driftless/modelfile/flatten/flat_model.h"

namespace driftless {

// The model with all comparisons in its equations as relations, appended to those that it has. It has no start of its
// own. None if there are no such comparisons.
std::optional<FlatModel> with_hidden_relations(FlatModel model);

// These comparisons, as expressions that are positive on one side; empty for most models.
std::vector<Expr> hidden_roots(FlatModel& model);

}  // namespace driftless
