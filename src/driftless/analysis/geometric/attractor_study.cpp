#include "driftless/analysis/geometric/attractor_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/require.h"
#include "driftless/step/stepper.h"

namespace driftless {

namespace {

// The points whose number satisfies a condition.
template <class Condition>
PointCloud part_of(const PointCloud& cloud, const Condition& condition) {
  PointCloud part{.dimension = cloud.dimension};
  for (std::size_t i = 0; i < cloud.size(); ++i)
    if (condition(i)) part.append(cloud.point(i));
  return part;
}

double distance_between_parts(const PointCloud& cloud, const std::function<bool(std::size_t)>& first, double share,
                              const Execution& execution) {
  const PointCloud a = part_of(cloud, first), b = part_of(cloud, [&](std::size_t i) { return !first(i); });
  return a.size() == 0 || b.size() == 0 ? 0.0 : hausdorff_distance(a, b, share, execution);
}

// Every other start against the rest; with one start, its earlier against its later samples.
double gap_of(const AttractorSample& sample, double share, const Execution& execution) {
  const std::size_t n = sample.per_start;
  return distance_between_parts(
      sample.points, [&](std::size_t i) { return sample.starts > 1 ? (i / n) % 2 == 0 : i % n < n / 2; }, share,
      execution);
}

double drift_of(const AttractorSample& sample, double share, const Execution& execution) {
  const std::size_t n = sample.per_start;
  return distance_between_parts(
      sample.points, [&](std::size_t i) { return i % n < n / 2; }, share, execution);
}

double largest_residual(const Index2& equations, const PointCloud& points) {
  Vector g(equations.constraint_names().size());
  double largest = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    equations.functions().g(points.point(i).subspan(0, equations.u_size()), 0.0, g);
    for (double x : g) largest = std::max(largest, std::abs(x));
  }
  return largest;
}

struct Reference {
  PointCloud points = {};
  double gap = 0.0, accuracy = 0.0;
};

Result<Reference> reference_of(const Index2& equations, const std::vector<Vector>& starts,
                               const AttractorStudyOptions& options) {
  const Execution& execution = options.sampling.execution;
  if (options.reference) {
    const PointCloud& points = *options.reference;
    const double gap = distance_between_parts(
        points, [](std::size_t i) { return i % 2 == 0; }, options.share, execution);
    return Reference{points, gap};
  }
  SamplingOptions sampling = options.sampling;
  sampling.execution = labelled(execution, "reference");
  auto sample = sample_attractor(equations, starts, sampling);
  if (!sample) return sample.failure();
  double size = 0.0;
  for (const double x : sample->points.coordinates) size = std::max(size, std::abs(x));
  return Reference{sample->points, gap_of(*sample, options.share, execution),
                   sampling.tolerance.relative * size + sampling.tolerance.absolute};
}

// A start of the DAE as one of the equations that are discretised: their multipliers may be fewer.
std::vector<Vector> fitted(const std::vector<Vector>& starts, const Index2& equations) {
  std::vector<Vector> result = starts;
  for (Vector& start : result) start.resize(equations.layout().size(), 0.0);
  return result;
}

AttractorStudy::Row study_row(const Index2& equations, const Index2& discretised, const std::vector<Vector>& starts,
                              const NearestPoints& reference, const PointCloud& reference_points, double h,
                              const AttractorStudyOptions& options) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  SamplingOptions sampling = options.sampling;
  const Execution execution = sampling.execution = labelled(options.sampling.execution, fmt::format("h = {:.6g}", h));
  AttractorStudy::Row row{.step_size = h};
  auto sample = sample_attractor(discretised, {options.method, h}, starts, sampling);
  if (!sample) {
    row.outward = row.inward = row.distance = row.gap = row.drift = row.residual = unknown;
    row.failure = sample.failure();
    return row;
  }
  row.outward = reference.separation_of(sample->points, options.share, execution);
  row.inward = NearestPoints(sample->points).separation_of(reference_points, options.share, execution);
  row.distance = std::max(row.outward, row.inward);
  row.gap = gap_of(*sample, options.share, execution);
  row.drift = drift_of(*sample, options.share, execution);
  row.residual = largest_residual(equations, sample->points);
  if (options.keep_points) row.points = std::move(sample->points);
  return row;
}

}  // namespace

void AttractorStudy::fit() {
  Vector h, distances, floors;
  for (const Row& row : rows) {
    if (row.failure || !row.settled()) continue;
    h.push_back(row.step_size);
    distances.push_back(row.distance);
    floors.push_back(floor(row));
  }
  rate = fit_order(h, distances, floors);
}

// Well above what sampling and the outward distance explain, and not halved from the largest to the smallest step.
bool AttractorStudy::leaves_out_inside() const {
  const Row *largest = nullptr, *smallest = nullptr;
  for (const Row& row : rows) {
    if (row.failure) continue;
    if (!largest || row.step_size > largest->step_size) largest = &row;
    if (!smallest || row.step_size < smallest->step_size) smallest = &row;
  }
  if (!smallest || smallest == largest) return false;
  return smallest->inward > 3.0 * std::max({smallest->outward, reference_gap, reference_accuracy}) &&
         smallest->inward > 0.5 * largest->inward;
}

Result<AttractorStudy> study_attractor(const Index2& equations, const AttractorStudyOptions& options) {
  if (options.step_sizes.empty()) throw Misuse("a study of an attracting set needs step sizes");
  for (const double h : options.step_sizes) require_positive("a step size", h);
  require_positive("share", options.share);
  if (options.share > 1.0) throw Misuse("share is a part of the points, at most 1");
  const Index2& discretised = options.discretised ? *options.discretised : equations;
  make_stepper(discretised, options.method);  // Misuse before any work
  CloudOptions cloud = options.cloud;
  cloud.execution = options.sampling.execution;
  auto starts = make_cloud(equations, cloud);
  if (!starts) return starts.failure();
  auto reference = reference_of(equations, *starts, options);
  if (!reference) return reference.failure();
  const NearestPoints index(reference->points);
  const std::vector<Vector> discrete_starts = fitted(*starts, discretised);
  AttractorStudy study{.reference_gap = reference->gap, .reference_accuracy = reference->accuracy};
  for (double h : options.step_sizes) {
    if (options.sampling.execution.stop.stop_requested()) return stopped_analysis("the study of the attracting set");
    study.rows.push_back(study_row(equations, discretised, discrete_starts, index, reference->points, h, options));
    const auto& failure = study.rows.back().failure;
    if (failure && failure->kind == FailureKind::stopped) return *failure;
  }
  study.fit();
  if (options.keep_points) study.reference = std::move(reference->points);
  return study;
}

}  // namespace driftless
