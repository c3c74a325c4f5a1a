// The page of `analyse attractor`.
#pragma once

#include "apps/driftless/commands/attractor_report.h"
#include "apps/driftless/report/article.h"

namespace driftless::cli {

Article attractor_article(const Model& model, const Index2Start& start, const AttractorFindings& findings);

}  // namespace driftless::cli
