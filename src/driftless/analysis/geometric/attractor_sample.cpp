#include "driftless/analysis/geometric/attractor_sample.h"

#include <fmt/format.h>

#include <cmath>

#include "driftless/analysis/geometric/sample_run.h"
#include "driftless/core/require.h"
#include "driftless/equations/manifold.h"

namespace driftless {

double Section::value(ConstSpan state) const {
  double sum = -level;
  for (std::size_t i = 0; i < normal.size(); ++i) sum += normal[i] * state[i];
  return sum;
}

Section section_at(const Index2& equations, std::string_view component, double value, Direction direction) {
  const std::size_t i = equations.layout().find(component);
  if (i >= equations.u_size()) throw Misuse(fmt::format("a section is stated in u, and {} is a multiplier", component));
  Section section{.normal = Vector(equations.u_size(), 0.0), .level = value, .direction = direction};
  section.normal[i] = 1.0;
  return section;
}

std::optional<Section> section_across(const Index2& equations, ConstSpan state) {
  Vector here(state.begin(), state.end()), slope(here.size());
  if (make_manifold(equations)->flow(0.0, here, slope) != ManifoldStatus::ok) return std::nullopt;
  slope.resize(equations.u_size());
  double length = 0.0;
  for (const double x : slope) length = std::hypot(length, x);
  if (!(length > 0.0)) return std::nullopt;
  for (double& x : slope) x /= length;
  Section section{.normal = std::move(slope), .direction = Direction::rising};
  section.level = section.value(here);
  return section;
}

namespace {

void require_sampling(const Index2& equations, const std::vector<Vector>& starts, const SamplingOptions& options) {
  if (starts.empty()) throw Misuse("an attracting set cannot be sampled without starts");
  for (const Vector& start : starts)
    if (start.size() != equations.layout().size())
      throw Misuse(fmt::format("a start has {} values, but a state of these equations has {}; see make_cloud()",
                               start.size(), equations.layout().size()));
  if (options.samples == 0) throw Misuse("at least one sample is needed");
  if (!(options.interval > 0.0) || !(options.transient >= 0.0))
    throw Misuse(fmt::format("the transient ({}) must not be negative, and the time between samples ({}) be positive",
                             options.transient, options.interval));
  require_finite("interval", options.interval);
  require_finite("transient", options.transient);
  require_positive("bound", options.bound);
  require_not_negative("longest_time", options.longest_time);
  if (options.section && options.section->normal.size() != equations.u_size())
    throw Misuse(fmt::format("the normal of a section has {} values, but u has {}", options.section->normal.size(),
                             equations.u_size()));
}

Failure too_many_lost(const AttractorSample& sample, std::size_t total) {
  const auto& [start, failure] = sample.lost.front();
  Failure result = failure;
  result.what_happened = fmt::format("{} of {} runs did not stay; the first, from start {}: {}", sample.lost.size(),
                                     total, start, failure.what_happened);
  return result;
}

// One run for each start, put together in the order of the starts.
template <class Run>
Result<AttractorSample> sample_all(const Index2& equations, const std::vector<Vector>& starts,
                                   const SamplingOptions& options, const Run& run) {
  require_sampling(equations, starts, options);
  if (auto failure = require_autonomous(equations, starts.front())) return *failure;
  std::vector<std::optional<Result<RunSamples>>> runs(starts.size());
  const bool done =
      for_each_index(options.execution, "runs", starts.size(), [&](std::size_t i) { runs[i] = run(starts[i]); });
  if (!done || options.execution.stop.stop_requested()) return stopped_analysis("sampling the attracting set");
  AttractorSample sample{.points = {.dimension = options.multipliers ? equations.layout().size() : equations.u_size()},
                         .per_start = options.samples};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i]->ok()) {
      sample.lost.push_back({i, runs[i]->failure()});
      continue;
    }
    const RunSamples& samples = **runs[i];
    sample.points.coordinates.insert(sample.points.coordinates.end(), samples.coordinates.begin(),
                                     samples.coordinates.end());
    sample.steps += samples.steps;
    ++sample.starts;
  }
  if (sample.starts == 0 || (!sample.lost.empty() && !options.leave_out_lost))
    return too_many_lost(sample, starts.size());
  return sample;
}

}  // namespace

Result<AttractorSample> sample_attractor(const Index2& equations, const std::vector<Vector>& starts,
                                         const SamplingOptions& options) {
  return sample_all(equations, starts, options,
                    [&](const Vector& start) { return sample_adaptive_run(equations, start, options); });
}

Result<AttractorSample> sample_attractor(const Index2& equations, const Discretisation& discretisation,
                                         const std::vector<Vector>& starts, const SamplingOptions& options) {
  if (!(discretisation.step_size > 0.0))
    throw Misuse(fmt::format("the step size must be positive, but is {}", discretisation.step_size));
  const auto stepper = make_stepper(equations, discretisation.method);
  return sample_all(equations, starts, options, [&](const Vector& start) {
    return sample_fixed_run(equations, *stepper, discretisation.step_size, start, options);
  });
}

}  // namespace driftless
