#include "driftless/analysis/geometric/periodic_orbit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/analysis/geometric/tangent.h"
#include "driftless/core/require.h"
#include "driftless/integrate/consistent_start.h"
#include "driftless/linalg/rank.h"
#include "driftless/linalg/spectrum.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

// The unknowns are coordinates in the tangent space at the current point, and the period.
class Shooting {
 public:
  Shooting(const Index2& equations, Vector state, double period, const PeriodicOrbitOptions& options)
      : equations_(equations),
        options_(options),
        manifold_(make_manifold(equations)),
        n_(equations.u_size()),
        state_(std::move(state)),
        period_(period) {
    fix_number_of_steps();
    slope(state_, section_);
  }

  std::optional<Failure> solve() {
    for (; iterations_ < options_.most_iterations; ++iterations_) {
      if (options_.execution.stop.stop_requested()) return stopped_analysis("the search for a periodic orbit");
      if (auto failure = shoot()) return failure;
      double size = 0.0;
      auto step = newton_step(size);
      if (!step) return step.failure();
      if (options_.execution.progress)
        options_.execution.progress({"periodic orbit", static_cast<std::size_t>(iterations_ + 1),
                                     static_cast<std::size_t>(options_.most_iterations)});
      const double scale = 1.0 + max_norm(ConstSpan(state_).subspan(0, n_));
      // In a family of orbits corrections along it are noise: there the return itself has to be good enough.
      const double left = std::min(size, 10.0 * miss());
      if (size <= 1e-12 * scale || (left <= 1e-8 * scale && size > 0.3 * last_size_)) return std::nullopt;
      last_size_ = size;
      if (auto failure = move(*step)) return failure;
    }
    return not_found(
        fmt::format("{} iterations were not enough; the last correction was {:.3g}", iterations_, last_size_));
  }

  Result<PeriodicOrbit> result() {
    if (auto failure = shoot()) return *failure;
    PeriodicOrbit orbit{.state = state_, .period = period_, .residual = miss(), .iterations = iterations_};
    const Matrix basis = tangent_basis(equations_, 0.0, state_);
    auto derivative = return_derivative(basis);
    if (!derivative) return derivative.failure();
    orbit.multipliers = eigenvalues_of(coordinates_of(basis, *derivative));
    const auto trivial =
        std::min_element(orbit.multipliers.begin(), orbit.multipliers.end(),
                         [](const auto& a, const auto& b) { return std::abs(a - 1.0) < std::abs(b - 1.0); });
    if (trivial != orbit.multipliers.end()) {
      orbit.trivial_multiplier = trivial->real();
      orbit.multipliers.erase(trivial);
    }
    return orbit;
  }

 private:
  // The period is made up of the same number of steps throughout, so that the map is smooth in it.
  void fix_number_of_steps() {
    if (!options_.flow.discretisation) {
      flow_ = make_flow(equations_, options_.flow);
      return;
    }
    const std::size_t steps = steps_in(period_, options_.flow.discretisation->step_size);
    FlowOptions one_step = options_.flow;
    one_step.discretisation->step_size = period_ / static_cast<double>(steps);
    flow_ = make_flow(equations_, one_step);
    steps_ = steps;
  }
  std::optional<Failure> advance(Span state) {
    if (steps_ == 0) return flow_->advance(0.0, state, period_);
    const double h = period_ / static_cast<double>(steps_);
    for (std::size_t i = 0; i < steps_; ++i)
      if (auto failure = flow_->advance(static_cast<double>(i) * h, state, h)) return failure;
    return std::nullopt;
  }
  void slope(ConstSpan state, Vector& out) {
    Vector copy(state.begin(), state.end());
    out.resize(copy.size());
    manifold_->flow(0.0, copy, out);
    out.resize(n_);
  }
  std::optional<Failure> shoot() {
    end_ = state_;
    if (auto failure = advance(end_)) return failure;
    std::copy(end_.begin() + static_cast<std::ptrdiff_t>(n_), end_.end(),
              state_.begin() + static_cast<std::ptrdiff_t>(n_));  // the multiplier that the orbit itself leads to
    return std::nullopt;
  }
  double miss() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < n_; ++i) sum += (end_[i] - state_[i]) * (end_[i] - state_[i]);
    return std::sqrt(sum);
  }
  Result<Matrix> return_derivative(const Matrix& basis) {
    const double step = steps_ == 0 ? 1e-3 : 3e-4;  // adaptive steps carry noise of the size of their tolerance
    return derivative_along(
        equations_, 0.0, state_, basis, [&](Span x) { return advance(x); }, step);
  }

  // [V^T (M - I) V, V^T F(end); section^T V, 0] (y, dT) = -(V^T (end - u), 0)
  Result<Vector> newton_step(double& size) {
    const Matrix basis = tangent_basis(equations_, 0.0, state_);
    const std::size_t d = basis.cols();
    auto derivative = return_derivative(basis);
    if (!derivative) return derivative.failure();
    const Matrix returned = coordinates_of(basis, *derivative);
    Vector end_slope;
    slope(end_, end_slope);
    Matrix j(d + 1, d + 1);
    Vector rhs(d + 1);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t k = 0; k < d; ++k) j(i, k) = returned(i, k) - (i == k ? 1.0 : 0.0);
      for (std::size_t k = 0; k < n_; ++k) {
        j(i, d) += basis(k, i) * end_slope[k];
        j(d, i) += basis(k, i) * section_[k];
        rhs[i] -= basis(k, i) * (end_[k] - state_[k]);
      }
    }
    // Along a family of orbits the derivative is singular up to the noise of adaptive steps.
    const Vector y = least_norm_solution(j, rhs, steps_ == 0 ? 1e-7 : 1e-12);
    Vector step(n_ + 1);
    step[n_] = y[d];
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t k = 0; k < n_; ++k) step[k] += basis(k, i) * y[i];
    size = std::fmax(max_norm(ConstSpan(step).subspan(0, n_)), std::abs(y[d]) * max_norm(end_slope));
    if (!std::isfinite(size)) return not_found("the return map is not finite");
    return step;
  }

  std::optional<Failure> move(const Vector& step) {
    const double period = period_ + step[n_];
    if (!(period > 1e-3 * period_) || !(period <= options_.longest_period))
      return not_found(fmt::format("the period went to {:.3g}", period));
    Vector moved;
    if (auto failure = TangentMoves(equations_, 0.0, state_).apply(ConstSpan(step).subspan(0, n_), 1.0, moved))
      return failure;
    state_ = std::move(moved);
    period_ = period;
    return std::nullopt;
  }

  Failure not_found(std::string what) const {
    return {.kind = FailureKind::newton_did_not_converge,
            .time = 0.0,
            .what_happened = "no periodic orbit was found: " + std::move(what),
            .what_to_try = "begin nearer to it, with a better guess of its period",
            .where = "the return to the section"};
  }

  const Index2& equations_;
  const PeriodicOrbitOptions& options_;
  std::unique_ptr<Manifold> manifold_;
  std::unique_ptr<Flow> flow_;
  std::size_t n_, steps_ = 0;
  Vector state_, end_, section_;
  double period_, last_size_ = 1e300;
  int iterations_ = 0;
};

}  // namespace

Result<PeriodicOrbit> find_periodic_orbit(const Index2& equations, ConstSpan guess, double period,
                                          const PeriodicOrbitOptions& options) {
  require_positive("the guess of the period", period);
  require_positive("longest_period", options.longest_period);
  require_at_least(1, "most_iterations", options.most_iterations);
  auto start = make_consistent(equations, 0.0, guess);
  if (!start) return start.failure();
  Shooting shooting(equations, std::move(start->state), period, options);
  if (auto failure = shooting.solve()) return *failure;
  return shooting.result();
}

}  // namespace driftless
