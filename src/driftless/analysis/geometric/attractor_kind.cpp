#include "driftless/analysis/geometric/attractor_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/analysis/geometric/distance.h"
#include "driftless/core/require.h"
#include "driftless/equations/manifold.h"
#include "driftless/integrate/consistent_start.h"
#include "driftless/integrate/solve.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

constexpr double near_equilibrium = 1e-3;  // distance, relative to 1 + |u|, at which a run counts as arrived
constexpr double worth_waiting = 0.5;      // likewise, at which it may be on its way
constexpr double longest_wait = 20.0;      // transients
constexpr double neutral_band = 5e-4;      // multipliers this near to modulus 1 cannot be told from it
constexpr double near_return = 0.02;       // of the extent of the orbit

class Recognition {
 public:
  Recognition(const Index2& equations, const RecognitionOptions& options) : equations_(equations), options_(options) {}

  Result<RecognisedAttractor> run(ConstSpan start) {
    if (auto failure = settle(start)) return *failure;
    if (auto failure = try_equilibrium()) return *failure;
    if (result_.kind != AttractorKind::undecided) return result_;
    if (auto failure = try_periodic()) return *failure;
    if (result_.kind != AttractorKind::undecided) return result_;
    if (auto failure = describe_the_rest()) return *failure;
    return result_;
  }

 private:
  ConstSpan u(ConstSpan state) const { return point_of(equations_, state); }

  // The transient; in pieces, so that a run away is noticed.
  std::optional<Failure> settle(ConstSpan given) {
    auto start = make_consistent(equations_, 0.0, given);
    if (!start) return start.failure();
    result_.state = std::move(start->state);
    if (auto failure = require_autonomous(equations_, result_.state)) return failure;
    return advance(options_.transient);
  }

  std::optional<Failure> advance(double duration) {
    const auto flow = make_flow(equations_, options_.flow);
    const auto pieces = static_cast<std::size_t>(std::max(50.0, std::ceil(std::min(duration / 20.0, 1e9))));
    const double piece = duration / static_cast<double>(pieces);
    for (std::size_t i = 0; i < pieces; ++i) {
      if (options_.execution.stop.stop_requested()) return stopped_analysis("the recognition of an attractor");
      if (auto failure = flow->advance(static_cast<double>(i) * piece, result_.state, piece)) return failure;
      const double size = max_norm(u(result_.state));
      if (!(size <= options_.bound))
        return Failure{.kind = FailureKind::diverged,
                       .time = static_cast<double>(i + 1) * piece,
                       .what_happened = fmt::format("|u| = {:.3g} is beyond the bound of {:.3g}: there is no attractor "
                                                    "where this run goes",
                                                    size, options_.bound),
                       .what_to_try = "another start, or a larger bound if this is no escape",
                       .where = "the run"};
      if (options_.execution.progress) options_.execution.progress({"transient", i + 1, pieces});
    }
    return std::nullopt;
  }

  double relative_distance(const Equilibrium& found) const {
    return euclidean_distance(u(found.state), u(result_.state)) / (1.0 + max_norm(u(result_.state)));
  }

  std::optional<Failure> try_equilibrium() {
    auto found = find_equilibrium(equations_, result_.state);
    if (!found || !found->stable() || relative_distance(*found) > worth_waiting) return std::nullopt;
    // Slow decay: as long as its slowest mode needs, once.
    if (const double left = relative_distance(*found) / near_equilibrium; left > 1.0 && !found->exponents.empty()) {
      const double needed = 1.5 * std::log(4.0 * left) / -found->exponents.front().real();
      if (!(needed <= longest_wait * options_.transient)) return std::nullopt;
      if (auto failure = advance(needed)) return failure;
    }
    if (relative_distance(*found) > near_equilibrium) return std::nullopt;
    result_.kind = AttractorKind::equilibrium;
    result_.equilibrium = std::move(*found);
    if (!options_.flow.discretisation) return std::nullopt;
    auto multipliers = step_multipliers(equations_, *result_.equilibrium, *options_.flow.discretisation);
    if (!multipliers) return multipliers.failure();
    result_.step_multipliers = std::move(*multipliers);
    return std::nullopt;
  }

  // Returns of the DAE's own flow to the plane through the state, orthogonal to the flow: good enough as guesses for a
  // method, too. The nearest of those seen so far is tried each time a return beats it.
  std::optional<Failure> try_periodic() {
    Vector here = result_.state, slope(here.size());
    if (make_manifold(equations_)->flow(0.0, here, slope) != ManifoldStatus::ok) return std::nullopt;
    const auto side = [&](double, ConstSpan x) {
      double sum = 0.0;
      for (std::size_t i = 0; i < equations_.u_size(); ++i) sum += slope[i] * (x[i] - here[i]);
      return sum;
    };
    Vector times, distances;
    const Solution run = solve(equations_, here,
                               {.span = {0.0, options_.longest_period},
                                .tolerance = {.relative = 1e-9, .absolute = 1e-10},
                                .dense = false,
                                .certificate = false,
                                .events = {{.name = "return", .root = side, .direction = Direction::rising}},
                                .observer =
                                    [&](double t, ConstSpan x) {
                                      times.push_back(t);
                                      distances.push_back(euclidean_distance(u(x), u(here)));
                                    },
                                .stop = options_.execution.stop});
    if (!run.ok()) return run.failure();
    const double extent = *std::max_element(distances.begin(), distances.end());
    // A return has to have been away. Nothing is, at rest or if the extent is beyond numbers.
    const auto away = std::find_if(distances.begin(), distances.end(), [&](double d) { return d > 0.2 * extent; });
    if (away == distances.end()) return std::nullopt;
    const double left_at = times[static_cast<std::size_t>(away - distances.begin())];
    double best = near_return * extent;
    for (const EventRecord& record : run.events()) {
      const double miss = euclidean_distance(u(record.state), u(here));
      if (miss >= best || record.time <= left_at) continue;
      best = miss;
      if (auto failure = try_period(record.time, extent)) return failure;
      if (result_.kind != AttractorKind::undecided) break;
    }
    return std::nullopt;
  }

  std::optional<Failure> try_period(double period, double extent) {
    auto orbit =
        find_periodic_orbit(equations_, result_.state, period,
                            {.flow = options_.flow, .longest_period = 2.0 * period, .execution = options_.execution});
    if (!orbit) {
      if (orbit.failure().kind == FailureKind::stopped) return orbit.failure();
      return std::nullopt;
    }
    const bool near = euclidean_distance(u(orbit->state), u(result_.state)) <= 2.0 * near_return * extent;
    const double largest = orbit->multipliers.empty() ? 0.0 : std::abs(orbit->multipliers.front());
    const bool neutral = std::abs(largest - 1.0) <= neutral_band;
    if (!near || largest > 1.0 + neutral_band || std::abs(orbit->trivial_multiplier - 1.0) > 0.01) return std::nullopt;
    result_.kind = neutral ? AttractorKind::neutral : AttractorKind::periodic;
    result_.periodic = std::move(*orbit);
    return std::nullopt;
  }

  std::optional<Failure> describe_the_rest() {
    LyapunovOptions options = options_.lyapunov;
    if (options_.flow.discretisation) options.flow = options_.flow;
    options.transient = 0.0;
    options.bound = options_.bound;
    options.execution = options_.execution;
    auto exponents = lyapunov_exponents(equations_, {result_.state}, options);
    if (!exponents) return exponents.failure();
    const bool positive =
        exponents->exponents[0] > 3.0 * exponents->standard_errors[0] && exponents->exponents[0] > 0.0;
    result_.kind = positive ? AttractorKind::chaotic : AttractorKind::undecided;
    result_.lyapunov = std::move(*exponents);
    return std::nullopt;
  }

  const Index2& equations_;
  const RecognitionOptions& options_;
  RecognisedAttractor result_;
};

}  // namespace

const char* name_of(AttractorKind kind) {
  switch (kind) {
    case AttractorKind::equilibrium: return "equilibrium";
    case AttractorKind::periodic: return "periodic orbit";
    case AttractorKind::neutral: return "neutral periodic orbit";
    case AttractorKind::chaotic: return "chaotic";
    case AttractorKind::undecided: return "undecided";
  }
  return "unknown";
}

Result<RecognisedAttractor> recognise_attractor(const Index2& equations, ConstSpan start,
                                                const RecognitionOptions& options) {
  if (!(options.transient > 0.0) || !(options.longest_period > 0.0))
    throw Misuse(fmt::format("the transient ({}) and the longest period ({}) must be positive", options.transient,
                             options.longest_period));
  require_positive("bound", options.bound);
  return Recognition(equations, options).run(start);
}

}  // namespace driftless
