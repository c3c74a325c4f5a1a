// The page of `analyse errors`.
#pragma once

#include "apps/driftless/report/article.h"
#include "apps/driftless/step_errors.h"

namespace driftless::cli {

Article step_errors_article(const Model& model, const StepErrors& found);

}  // namespace driftless::cli
