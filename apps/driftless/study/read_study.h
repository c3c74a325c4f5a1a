// Results of a study, or of a part of one, from FILE.csv and what stands beside it.
#pragma once

#include "apps/driftless/study/study_results.h"

namespace driftless::cli {

// Stop, with file and line, if they are not those of a study.
StudyResults read_study(const std::string& path);

}  // namespace driftless::cli
