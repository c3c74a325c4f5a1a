#include "driftless/analysis/geometric/orbit_study.h"

#include <fmt/format.h>

#include <algorithm>

namespace driftless {

namespace {

constexpr std::size_t samples = 6;  // crossings of a plane by each run

void take_larger(double& x, double y) { x = std::max(x, y); }

// Of the same step size, on two planes.
void merge(AttractorStudy::Row& row, const AttractorStudy::Row& other) {
  if (!row.failure) row.failure = other.failure;
  if (row.failure) return;
  take_larger(row.outward, other.outward);
  take_larger(row.inward, other.inward);
  take_larger(row.distance, other.distance);
  take_larger(row.gap, other.gap);
  take_larger(row.drift, other.drift);
  take_larger(row.residual, other.residual);
}

void merge(AttractorStudy& study, const AttractorStudy& other) {
  take_larger(study.reference_gap, other.reference_gap);
  take_larger(study.reference_accuracy, other.reference_accuracy);
  for (std::size_t i = 0; i < study.rows.size(); ++i) merge(study.rows[i], other.rows[i]);
}

}  // namespace

Result<AttractorStudy> study_across_orbit(const Index2& equations, const PeriodicOrbit& orbit,
                                          AttractorStudyOptions options, std::size_t planes) {
  options.sampling.samples = samples;
  options.keep_points = false;
  const Execution execution = options.sampling.execution;
  const auto flow = make_flow(equations, {});
  Vector state = orbit.state;
  std::optional<AttractorStudy> all;
  for (std::size_t k = 0; k < planes; ++k) {
    options.sampling.section = section_across(equations, state);
    if (!options.sampling.section)
      return Failure{.kind = FailureKind::assumption_violated,
                     .what_happened = "the orbit stands still: there is no plane across it",
                     .what_to_try = "an orbit that moves",
                     .where = "the orbit"};
    options.sampling.execution = labelled(execution, fmt::format("plane {}", k + 1));
    auto study = study_attractor(equations, options);
    if (!study) return study;
    if (all)
      merge(*all, *study);
    else
      all = std::move(*study);
    const double part = orbit.period / static_cast<double>(planes);
    if (auto failure = flow->advance(static_cast<double>(k) * part, state, part)) return *failure;
  }
  all->fit();
  return *all;
}

}  // namespace driftless
