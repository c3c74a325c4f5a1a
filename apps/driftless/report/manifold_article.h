// The page of `analyse manifold`.
#pragma once

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/report/article.h"
#include "driftless/analysis/geometric/manifold_study.h"

namespace driftless::cli {

struct MeasuredManifold {
  std::string method;
  ManifoldStudy study;
};

Article manifold_article(const Model& model, const Index2Start& start, const std::vector<ManifoldPoint>& points,
                         const std::vector<MeasuredManifold>& all);

// What both the page and the terminal say.
std::string promised_text(const ManifoldStudy& study);
std::string chi_text(const Attractivity& attractivity);
std::string order_text(const OrderFit& fit);

}  // namespace driftless::cli
