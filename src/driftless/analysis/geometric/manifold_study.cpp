#include "driftless/analysis/geometric/manifold_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/analysis/geometric/distance.h"
#include "driftless/core/require.h"

namespace driftless {

namespace {

// Ratios are taken of distances this many times the rounding level, and so known to its inverse.
constexpr double clear_of_rounding = 1e4;
constexpr double enough_decay = 1e-3;
constexpr std::size_t longest_run = 400;

struct StateParts {
  std::size_t n;
  ConstSpan u(ConstSpan state) const { return state.subspan(0, n); }
  ConstSpan lambda(ConstSpan state) const { return state.subspan(n); }
};

// The state on the manifold with lambda_k moved.
Vector disturbed(const Vector& state, const StateParts& split, std::size_t k, double disturbance) {
  Vector moved = state;
  double size = 0.0;
  for (double x : split.lambda(state)) size = std::fmax(size, std::abs(x));
  moved[split.n + k] += disturbance * (1.0 + size);
  return moved;
}

// Distances from the manifold of a run with lambda_k disturbed at its begin.
Result<Vector> distances_of(DiscreteManifold& manifold, double t0, const Vector& on, std::size_t k,
                            const AttractivityOptions& options) {
  const StateParts split{manifold.u_size()};
  Vector state = disturbed(on, split, k, options.disturbance);
  Vector distances{euclidean_distance(split.lambda(state), split.lambda(on))};
  const double h = manifold.step_size();
  for (std::size_t i = 0; i < options.most_steps; ++i) {
    const double t = t0 + static_cast<double>(i) * h;
    if (auto failure = manifold.step(t, state)) return *failure;
    auto there = manifold.at({t + h, state});
    if (!there) return there.failure();
    distances.push_back(euclidean_distance(split.lambda(state), split.lambda(there->state)));
    const double rounding = manifold.rounding(t + h, state);
    if (distances.back() <= std::max(clear_of_rounding * rounding, enough_decay * distances.front())) break;
  }
  return distances;
}

// A disturbance of nothing shows nothing.
void require_usable(const AttractivityOptions& options) {
  require_finite("disturbance", options.disturbance);
  if (options.disturbance == 0.0) throw Misuse("disturbance must not be 0");
  require_at_least<std::size_t>(1, "most_steps", options.most_steps);
}

void take_ratios(const Vector& distances, double rounding, Attractivity& result) {
  result.rounding = std::max(result.rounding, rounding / distances.front());
  for (std::size_t i = 1; i < distances.size(); ++i)
    if (i == 1 || distances[i] > clear_of_rounding * rounding)
      result.chi = std::max(result.chi, distances[i] / distances[i - 1]);
  if (result.distances.empty()) result.distances = distances;
}

}  // namespace

Result<Attractivity> measure_attractivity(DiscreteManifold& manifold, const std::vector<ManifoldPoint>& points,
                                          const AttractivityOptions& options) {
  require_usable(options);
  if (points.empty()) throw Misuse("attractivity is measured at points of the constraint, but there are none");
  Attractivity result;
  for (const ManifoldPoint& point : points) {
    auto on = manifold.at(point);
    if (!on) return on.failure();
    for (std::size_t k = 0; k + manifold.u_size() < on->state.size(); ++k) {
      auto distances = distances_of(manifold, point.t, on->state, k, options);
      if (!distances) return distances.failure();
      take_ratios(*distances, manifold.rounding(point.t, on->state), result);
    }
  }
  return result;
}

namespace {

// Disturbed in lambda_0 and run until nothing of the disturbance is left.
Result<std::vector<Vector>> disturbed_run(DiscreteManifold& manifold, double t0, const Vector& on, double disturbance) {
  const StateParts split{manifold.u_size()};
  std::vector<Vector> run{disturbed(on, split, 0, disturbance)};
  const std::size_t steps = std::clamp<std::size_t>(manifold.memory_length(), 2, longest_run);
  for (std::size_t i = 0; i < steps; ++i) {
    Vector state = run.back();
    if (auto failure = manifold.step(t0 + static_cast<double>(i) * manifold.step_size(), state)) return *failure;
    run.push_back(std::move(state));
  }
  return run;
}

}  // namespace

// The partner is where the run comes from if it is followed back on the manifold from where it has arrived there.
Result<AsymptoticPhase> measure_phase(DiscreteManifold& manifold, const ManifoldPoint& point,
                                      const AttractivityOptions& options) {
  require_usable(options);
  const StateParts split{manifold.u_size()};
  auto on = manifold.at(point);
  if (!on) return on.failure();
  auto run = disturbed_run(manifold, point.t, on->state, options.disturbance);
  if (!run) return run.failure();
  const std::size_t steps = run->size() - 1;
  const double end = point.t + static_cast<double>(steps) * manifold.step_size();
  auto partner = manifold.orbit_to({end, run->back()}, steps);
  if (!partner) return partner.failure();
  AsymptoticPhase phase{.partner = partner->front()};
  double size = 1.0;
  for (double x : split.u(on->state)) size = std::fmax(size, std::abs(x));
  phase.u_rounding = clear_of_rounding * std::numeric_limits<double>::epsilon() * size;
  phase.lambda_rounding = clear_of_rounding * manifold.rounding(point.t, on->state);
  for (std::size_t i = 0; i <= steps; ++i) {
    phase.u_distances.push_back(euclidean_distance(split.u((*run)[i]), split.u((*partner)[i])));
    phase.lambda_distances.push_back(euclidean_distance(split.lambda((*run)[i]), split.lambda((*partner)[i])));
  }
  phase.u_rate = fit_rate(phase.u_distances, phase.u_rounding);
  phase.lambda_rate = fit_rate(phase.lambda_distances, phase.lambda_rounding);
  return phase;
}

namespace {

Result<ManifoldStudy::Row> study_row(const Index2& equations, const ManifoldStudyOptions& options, double h) {
  DiscreteManifold manifold(equations, options.method, h, options.step_limit);
  ManifoldStudy::Row row{.step_size = h};
  for (const ManifoldPoint& point : options.points) {
    auto value = manifold.at(point);
    if (!value) return value.failure();
    row.closeness = std::max(row.closeness, euclidean_distance(value->state, value->continuous));
    row.rounding = std::max(row.rounding, manifold.rounding(point.t, value->state));
    row.uncertainty = std::max(row.uncertainty, value->uncertainty);
  }
  auto attractivity = measure_attractivity(manifold, options.points, options.attractivity);
  if (!attractivity) return attractivity.failure();
  row.attractivity = std::move(*attractivity);
  auto phase = measure_phase(manifold, options.points.front(), options.attractivity);
  if (!phase) return phase.failure();
  row.phase = std::move(*phase);
  return row;
}

void fit(ManifoldStudy& study) {
  Vector h, closeness, closeness_floor, deviation, deviation_floor;
  for (const auto& row : study.rows) {
    h.push_back(row.step_size);
    closeness.push_back(row.closeness);
    closeness_floor.push_back(row.rounding + row.uncertainty);
    deviation.push_back(std::abs(row.attractivity.chi - study.r_infinity));
    // A ratio is known to the rounding of the smallest distance that it was taken of.
    deviation_floor.push_back(10.0 * row.attractivity.rounding / enough_decay + row.uncertainty);
  }
  study.closeness = fit_order(h, closeness, closeness_floor);
  study.chi_deviation = fit_order(h, deviation, deviation_floor);
}

}  // namespace

Result<ManifoldStudy> study_manifold(const Index2& equations, const ManifoldStudyOptions& options) {
  if (options.points.empty()) throw Misuse("a study of the manifold needs points of the constraint");
  if (options.step_sizes.empty()) throw Misuse("a study of the manifold needs step sizes");
  for (double h : options.step_sizes) DiscreteManifold(equations, options.method, h);  // Misuse before any work
  const std::size_t count = options.step_sizes.size();
  std::vector<std::optional<Result<ManifoldStudy::Row>>> rows(count);
  const bool done = for_each_index(options.execution, "step sizes", count, [&](std::size_t i) {
    try {
      rows[i] = study_row(equations, options, options.step_sizes[i]);
    } catch (const FailedRun& failed) {  // the limit of steps
      rows[i] = failed.failure();
    }
  });
  if (!done) return stopped_analysis("the study of the manifold");
  ManifoldStudy study{.r_infinity = multiplier_damping(options.method), .promised = promised_closeness(options.method)};
  for (auto& row : rows) {
    if (!*row) return row->failure();
    study.rows.push_back(std::move(**row));
  }
  fit(study);
  return study;
}

}  // namespace driftless
