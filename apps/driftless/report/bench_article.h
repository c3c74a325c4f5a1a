// The page of a benchmark: work-precision diagrams from what `driftless_bench --json` wrote.
#pragma once

#include "apps/driftless/report/article.h"

namespace driftless::cli {

// One file. Stop if it cannot be read, or is none of these.
Json read_bench(const std::string& path);

Article bench_article(const std::vector<Json>& problems);

}  // namespace driftless::cli
