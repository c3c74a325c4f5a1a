// The page of a study: what is shown over what was varied.
#pragma once

#include "apps/driftless/report/article.h"
#include "apps/driftless/study/study_results.h"

namespace driftless::cli {

Article study_article(const StudyResults& results);

}  // namespace driftless::cli
