// Which variables of a model are chosen, which computed, and which equations are constraints.
#pragma once

#include "driftless/modelfile/compiled/compiled_minimisation.h"

namespace driftless {

struct MinimisationPlan {
  FlatModel model;
  std::size_t objective = 0;                  // in model.variables
  std::vector<std::size_t> chosen = {};       // likewise
  std::vector<Expr> values = {};              // by variable, in terms of the chosen ones
  std::vector<std::size_t> constraints = {};  // in model.equations
  std::vector<Expr> residuals = {};           // of the constraints, in terms of the chosen ones
};

// Throws Refusal if the model is not a minimisation.
MinimisationPlan plan_minimisation(FlatModel model, const MinimisationRequest& request);

}  // namespace driftless
