// What the analysis of a flat model has to say about it: where, what, and what to do about it.
#pragma once

#include <string>
#include <vector>

#include "driftless/modelfile/flatten/flat_model.h"

namespace driftless {

struct Finding {
  SourcePlace place;  // line 0: about the model as a whole
  std::string message, suggestion;
};

// Thrown inside the analysis where a model cannot be treated; compile() turns it into a value.
struct Refusal {
  std::vector<Finding> findings;
};

}  // namespace driftless
