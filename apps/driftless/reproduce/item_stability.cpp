// Higueras and Soderlind 2003: a bound is never exceeded, and constants lie in their enclosures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/reproduce/item.h"
#include "apps/driftless/reproduce/stability_heat.h"
#include "apps/driftless/reproduce/stability_items.h"
#include "testset/stability/study.h"

namespace reproduce {

using namespace driftless::stability;

Measurement constants() {
  Measurement result;
  for (const ConstantRow& row : study_constants({1000})) {
    const std::string id = fmt::format("{} {} {}", row.problem, row.norm, row.symbol);
    result.lines.push_back(
        {.id = id,
         .what = fmt::format("{}, norm {}: {} as sampled", row.problem, row.norm, row.symbol),
         .paper = fmt::format("{:.6g}, enclosed by [{:.6g}, {:.6g}]", row.exact, row.lower, row.upper),
         .measured = row.sampled,
         .low = row.lower - 1e-6,
         .high = row.upper + 1e-12});
    result.lines.push_back({.id = id + " enclosed",
                            .what = fmt::format("{}, norm {}: {} in closed form", row.problem, row.norm, row.symbol),
                            .paper = "inside of its enclosure",
                            .measured = row.exact,
                            .low = row.lower - 1e-14,
                            .high = row.upper + 1e-14});
  }
  return result;
}

Measurement deviations() {
  Measurement result;
  const DeviationStudy* widest = nullptr;
  const auto studies = study_deviations();
  for (const DeviationStudy& study : studies) {
    if (!widest && study.perturbation == "pulse in both") widest = &study;
    for (const auto& [bound, theorem] : {std::pair{&DeviationPoint::product, "3.4"}, {&DeviationPoint::sharp, "3.5"}}) {
      const auto largest = study.largest(bound);
      result.lines.push_back(
          at_most_one(fmt::format("{} {} {} {}", study.problem, study.perturbation, study.norm, theorem),
                      fmt::format("{}, {}, norm {}: deviation / bound of Theorem {}", study.problem, study.perturbation,
                                  study.norm, theorem),
                      std::max({largest.p, largest.q, largest.total}), "at most 1"));
    }
  }
  if (!widest) return result;
  Curve measured{"measured"}, product{"Theorem 3.4"}, sharp{"Theorem 3.5"};
  for (const DeviationPoint& point : widest->points) {
    const std::pair<Curve*, double> values[] = {
        {&measured, point.p}, {&product, point.product.p}, {&sharp, point.sharp.p}};
    for (const auto& [curve, value] : values) {
      curve->x.push_back(point.time);
      curve->y.push_back(std::max(value, 1e-17));
    }
  }
  result.pictures.push_back({.title = fmt::format("|P dx|: {}, {}", widest->problem, widest->perturbation),
                             .log_y = true,
                             .curves = {measured, product, sharp}});
  return result;
}

Measurement errors() {
  Measurement result;
  for (const ErrorStudy& study : study_errors())
    result.lines.push_back(at_most_one(
        fmt::format("{} {} {:.0e}", study.problem, study.method, study.newton),
        fmt::format("{}, {}, Newton to {:.0e}: global error / bound", study.problem, study.method, study.newton),
        std::max(study.p_quotient, study.q_quotient), "at most 1"));
  return result;
}

Measurement runs() {
  Measurement result;
  for (const RunStudy& study : study_runs())
    result.lines.push_back(at_most_one(fmt::format("{} {}", study.problem, study.run),
                                       fmt::format("{}, {}: error / bound it carries", study.problem, study.run),
                                       std::max(study.p_quotient, study.q_quotient), "at most 1"));
  return result;
}

Measurement index_loss() {
  Measurement result;
  for (const IndexLossStudy& study : study_index_loss())
    result.lines.push_back({.id = study.problem,
                            .what = fmt::format("{}: index 1 is lost at", study.problem),
                            .paper = fmt::format("{:.10f}", study.exact),
                            .measured = study.found.time,
                            .low = study.exact - 1e-4,
                            .high = study.exact + 1e-4});
  return result;
}

Measurement contraction() {
  Measurement result;
  Picture picture{.title = "Distance of two temperatures", .log_y = true};
  for (const HeatRun& run : heat_runs()) {
    const std::string name = fmt::format("{}, {}", run.method, run.mesh);
    result.lines.push_back(at_most_one(name, name + ": largest quotient of a step", run.contraction.largest_quotient,
                                       "at most 1: the method contracts as the equations do"));
    picture.curves.push_back({name, run.contraction.times, run.contraction.distance});
  }
  result.pictures.push_back(std::move(picture));
  return result;
}

}  // namespace reproduce
