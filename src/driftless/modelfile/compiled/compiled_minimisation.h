// A model as a minimisation: one variable is the objective, variables are chosen, equations are constraints. Such a
// model has fewer equations than variables; what is left over is free.
#pragma once

#include <functional>
#include <optional>

#include "driftless/equations/minimisation.h"
#include "driftless/expression/program.h"
#include "driftless/modelfile/structure/finding.h"

namespace driftless {

struct MinimisationRequest {
  std::string objective;  // the name of a variable
  bool maximise = false;
  Engine engine = Engine::automatic;
};

// Variables without a start value that an equation gives explicitly are computed from the others, and that equation is
// no constraint; all others are chosen. The Lagrangian is objective + sum of multiplier * (left - right side).
struct ModelMinimisation {
  Minimisation problem;  // of the objective, or of its negative if it is to be as large as possible
  double sign = 1.0;     // problem's objective and multipliers times this are those of the model
  Vector start = {};     // of problem.u_names()

  struct Constraint {
    std::string text;
    SourcePlace place;
  };
  std::vector<Constraint> constraints = {};

  struct Variable {
    std::string name, unit, description;
    std::optional<double> min, max;
    bool chosen = false;
  };
  std::vector<Variable> variables = {};                    // all that the user wrote
  std::function<void(ConstSpan u, Span out)> values = {};  // of all of them
  std::size_t objective = 0;                               // which of them
  // assert() that does not hold at u.
  std::function<std::vector<Finding>(ConstSpan u)> failed_asserts = {};
};

struct MinimisationCompilation {
  std::optional<ModelMinimisation> minimisation;  // none if there are errors
  std::vector<Finding> errors;
  bool ok() const { return minimisation.has_value(); }
};

MinimisationCompilation compile_minimisation(FlatModel model, const MinimisationRequest& request);

}  // namespace driftless
