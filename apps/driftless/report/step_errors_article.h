// The page of `analyse errors`.
#pragma once

#include "apps/driftless/commands/step_errors.h"
#include "apps/driftless/report/article.h"

namespace driftless::cli {

Article step_errors_article(const Model& model, const StepErrors& found);

}  // namespace driftless::cli
