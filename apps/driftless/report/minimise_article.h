// The page of `analyse minimise`, and what it is about.
#pragma once

#include "apps/driftless/model/model_text.h"
#include "apps/driftless/report/article.h"
#include "driftless/analysis/geometric/minimise.h"
#include "driftless/modelfile/compiled/compiled_minimisation.h"

namespace driftless::cli {

struct FoundMinimum {
  ModelText text;
  std::string name, title;
  std::string objective;
  bool maximise = false;
  ModelMinimisation problem;
  Minimum minimum;
  Vector values = {};  // of all variables
};

std::string kind_of(const FoundMinimum& found);                       // "strict minimum", "saddle", ...
std::vector<std::string> violated_bounds(const FoundMinimum& found);  // min and max of variables, in words
Vector residuals_of(const FoundMinimum& found);                       // of the constraints, left - right side

Article minimise_article(const FoundMinimum& found);

}  // namespace driftless::cli
