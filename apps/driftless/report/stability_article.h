// The page of `analyse stability`.
#pragma once

#include "apps/driftless/commands/stability_output.h"
#include "apps/driftless/report/article.h"

namespace driftless::cli {

Article stability_article(const Model& model, const BoxFindings& findings);
Article stability_article(const Model& model, const AlongFindings& findings);

}  // namespace driftless::cli
