// Points of an attracting set: of a DAE, or of a method with fixed steps. A cloud of starts, the transient discarded.
#pragma once

#include <optional>

#include "driftless/analysis/geometric/hausdorff.h"
#include "driftless/analysis/geometric/start_cloud.h"
#include "driftless/integrate/solve.h"

namespace driftless {

// Where normal . u = level.
struct Section {
  Vector normal = {};
  double level = 0.0;
  Direction direction = Direction::any;

  double value(ConstSpan state) const;  // normal . u - level
};
// Where the component with this name has this value.
Section section_at(const Index2& equations, std::string_view component, double value,
                   Direction direction = Direction::any);

// The plane through a state, orthogonal to the flow there, crossed in its direction. Nothing where there is no flow.
std::optional<Section> section_across(const Index2& equations, ConstSpan state);

// A method with its step size.
struct Discretisation {
  Method method = {};
  double step_size = 0.01;
};

struct SamplingOptions {
  double transient = 50.0;     // time before the first sample
  std::size_t samples = 1000;  // of every start
  double interval = 0.05;      // time between samples; with fixed steps the nearest multiple of a step, at least one
  std::optional<Section> section = {};  // instead: the points where runs cross it
  bool multipliers = false;             // points (u, lambda) instead of u
  double bound = 1e6;                   // |u| beyond this: the run ran away
  double longest_time = 0.0;  // of a run; 0: transient + 2 samples interval, or 1000 + 20 samples with a section
  Tolerance tolerance = {.relative = 1e-10, .absolute = 1e-12};  // of the DAE itself
  bool leave_out_lost = false;  // runs that fail or run away are left out, unless all do
  Execution execution = {};
};

struct AttractorSample {
  PointCloud points = {};  // start after start
  std::size_t per_start = 0;
  std::size_t starts = 0;  // those that stayed
  std::size_t steps = 0;   // of all runs together
  struct Lost {
    std::size_t start;
    Failure failure;
  };
  std::vector<Lost> lost = {};
};

// Of the DAE, with adaptive steps to the tolerance; or of the discretisation, with fixed ones. A Failure if runs are
// lost (see leave_out_lost) or do not cross the section often enough.
Result<AttractorSample> sample_attractor(const Index2& equations, const std::vector<Vector>& starts,
                                         const SamplingOptions& options);
Result<AttractorSample> sample_attractor(const Index2& equations, const Discretisation& discretisation,
                                         const std::vector<Vector>& starts, const SamplingOptions& options);

}  // namespace driftless
