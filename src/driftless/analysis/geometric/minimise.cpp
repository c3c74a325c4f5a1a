#include "driftless/analysis/geometric/minimise.h"

#include <fmt/format.h>

#include <cmath>

#include "driftless/analysis/geometric/embedding.h"
#include "driftless/analysis/geometric/equilibrium.h"
#include "driftless/analysis/geometric/tangent.h"
#include "driftless/core/require.h"
#include "driftless/integrate/consistent_start.h"
#include "driftless/integrate/integrator.h"
#include "driftless/linalg/spectrum.h"
#include "driftless/nonlinear/convergence.h"
#include "driftless/step/stepper.h"

namespace driftless {

namespace {

constexpr double horizon = 1e12;
constexpr double embedding_time = 40.0;  // exp(-40) of a residual is rounding

// The gradient flow, one step at a time, adaptive or not.
class DescentSteps {
 public:
  DescentSteps(const Index2& equations, const MinimiseOptions& options, const Vector& start) : state_(start) {
    if (options.discretisation) {
      stepper_ = make_stepper(equations, options.discretisation->method);
      workspace_ = stepper_->make_workspace();
      attempt_ = stepper_->make_attempt();
      h_ = options.discretisation->step_size;
      if (!(h_ > 0.0)) throw Misuse(fmt::format("the step size must be positive, but is {}", h_));
    } else {
      integrator_ = make_integrator(equations, {.tolerance = options.tolerance}, 0.0, horizon, start);
    }
  }

  std::optional<Failure> step() {
    if (integrator_) {
      if (auto failure = integrator_->step()) return failure;
      state_.assign(integrator_->state().begin(), integrator_->state().end());
      time_ = integrator_->time();
      return std::nullopt;
    }
    if (auto failure = stepper_->attempt(time_, state_, h_, *workspace_, attempt_)) return failure;
    state_ = attempt_.state;
    time_ += h_;
    return std::nullopt;
  }
  const Vector& state() const { return state_; }
  double time() const { return time_; }

 private:
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<Stepper::Workspace> workspace_;
  Attempt attempt_;
  Vector state_;
  double h_ = 0.0, time_ = 0.0;
};

class Descent {
 public:
  Descent(const Minimisation& problem, const MinimiseOptions& options)
      : problem_(problem),
        options_(options),
        equations_(gradient_flow(problem)),
        manifold_(make_manifold(equations_)),
        n_(problem.u_size()) {}

  Result<Minimum> run(ConstSpan start) {
    if (auto failure = make_feasible(start)) return *failure;
    result_.start_objective = objective();
    record(DescentPoint::Reached::start, 0.0);
    for (double gradient = options_.small_gradient;;) {
      if (auto failure = follow_flow(gradient)) return *failure;
      if (!polish() && gradient > 1e-11) {
        gradient *= 0.1;  // too early for Newton's method
        continue;
      }
      const SymmetricSpectrum curvature = curvatures();
      const bool saddle = !curvature.values.empty() && curvature.values.front() < -1e-8 * scale();
      if (!saddle || result_.saddles_left >= options_.most_saddles) return finish(curvature);
      if (auto failure = leave_saddle(curvature)) return *failure;
      record(DescentPoint::Reached::left_saddle, result_.flow_time);
      gradient = options_.small_gradient;
    }
  }

 private:
  ConstSpan u() const { return ConstSpan(state_).subspan(0, n_); }
  ConstSpan lambda() const { return ConstSpan(state_).subspan(n_); }
  double objective() const { return problem_.functions().objective(u()); }
  double scale() const { return 1.0 + max_norm(u()); }

  // The nearest feasible point, or the one that the embedding leads to.
  std::optional<Failure> make_feasible(ConstSpan start) {
    auto nearest = make_consistent(equations_, 0.0, start);
    if (nearest) {
      state_ = std::move(nearest->state);
      return std::nullopt;
    }
    if (start.size() != n_ || problem_.constraint_count() == 0) return nearest.failure();
    const Embedding embedding = embed(equations_);
    auto off = embedding.state(0.0, start);
    if (!off) return nearest.failure();
    const Solution run = solve(embedding.equations(), *off,
                               {.span = {0.0, embedding_time},
                                .stepping = {.limit = options_.step_limit},
                                .dense = false,
                                .certificate = false,
                                .stop = options_.execution.stop});
    if (!run.ok()) return nearest.failure();
    auto led = make_consistent(equations_, 0.0, run.state(run.size() - 1).subspan(0, n_));
    if (!led) return nearest.failure();
    state_ = std::move(led->state);
    return std::nullopt;
  }

  // |grad phi + Dg^T lambda| relative to 1 + |grad phi|, with lambda = psi_0.
  double relative_gradient() {
    Vector slope(state_.size()), gradient(n_);
    if (manifold_->flow(0.0, state_, slope) != ManifoldStatus::ok) return std::nan("");
    problem_.functions().gradient(u(), gradient);
    return max_norm(ConstSpan(slope).subspan(0, n_)) / (1.0 + max_norm(gradient));
  }

  std::optional<Failure> follow_flow(double small_gradient) {
    if (relative_gradient() <= small_gradient) return std::nullopt;
    DescentSteps steps(equations_, options_, state_);
    while (true) {
      if (options_.execution.stop.stop_requested()) return stopped_analysis("the minimisation");
      if (result_.flow_steps >= options_.step_limit) return not_at_rest();
      if (auto failure = steps.step()) return failure;
      state_ = steps.state();
      ++result_.flow_steps;
      record(DescentPoint::Reached::flow, result_.flow_time + steps.time());
      if (options_.execution.progress && result_.flow_steps % 100 == 0)
        options_.execution.progress({"descent", result_.flow_steps, options_.step_limit});
      if (!(max_norm(u()) <= options_.bound)) return unbounded(steps.time());
      if (relative_gradient() <= small_gradient) break;
    }
    result_.flow_time += steps.time();
    return std::nullopt;
  }

  Failure not_at_rest() {
    return {
        .kind = FailureKind::too_many_steps,
        .time = result_.flow_time,
        .what_happened = fmt::format("the gradient flow is not at rest after {} steps: the objective is {:.9g}, its "
                                     "gradient along the constraint {:.3g}",
                                     result_.flow_steps, objective(), relative_gradient()),
        .what_to_try = "a larger step_limit; if the objective hardly falls any more, a larger small_gradient",
        .where = ""};
  }
  Failure unbounded(double t) const {
    std::size_t worst = 0;
    for (std::size_t i = 0; i < n_; ++i)
      if (std::abs(state_[i]) > std::abs(state_[worst])) worst = i;
    return {
        .kind = FailureKind::diverged,
        .time = t,
        .what_happened = fmt::format("the gradient flow runs away: {} = {:.3g} with an objective of {:.6g}",
                                     problem_.u_names()[worst], state_[worst], objective()),
        .what_to_try = "another start, or a constraint that bounds the problem: it has no minimum in this direction",
        .where = problem_.u_names()[worst]};
  }

  // Newton's method on grad phi + Dg^T lambda = 0, g = 0; false if it leads elsewhere.
  bool polish() {
    auto found = find_equilibrium(equations_, state_);
    if (!found) return false;
    double moved = 0.0;
    for (std::size_t i = 0; i < n_; ++i) moved = std::fmax(moved, std::abs(found->state[i] - state_[i]));
    if (moved > 0.01 * scale()) return false;
    result_.newton_iterations += static_cast<std::size_t>(found->iterations);
    state_ = std::move(found->state);
    record(DescentPoint::Reached::newton, result_.flow_time);
    return true;
  }

  void record(DescentPoint::Reached by, double time) {
    if (!options_.keep_path) return;
    Vector g(problem_.constraint_count()), slope(state_.size());
    problem_.functions().constraint(u(), g);
    const bool flows = manifold_->flow(0.0, state_, slope) == ManifoldStatus::ok;
    result_.path.push_back({.by = by,
                            .time = time,
                            .objective = objective(),
                            .gradient = flows ? max_norm(ConstSpan(slope).subspan(0, n_)) : std::nan(""),
                            .constraint = max_norm(g),
                            .u = Vector(u().begin(), u().end())});
  }

  SymmetricSpectrum curvatures() {
    basis_ = tangent_basis(equations_, 0.0, state_);
    Matrix hessian(n_, n_), product(n_, basis_.cols());
    problem_.functions().lagrangian_hessian(u(), lambda(), hessian);
    for (std::size_t j = 0; j < basis_.cols(); ++j)
      for (std::size_t k = 0; k < n_; ++k)
        for (std::size_t i = 0; i < n_; ++i) product(i, j) += hessian(i, k) * basis_(k, j);
    return symmetric_spectrum(coordinates_of(basis_, product));
  }

  // A small move along the direction of the most negative curvature, to the side where the objective is lower.
  std::optional<Failure> leave_saddle(const SymmetricSpectrum& curvature) {
    Vector direction(n_);
    for (std::size_t j = 0; j < basis_.cols(); ++j)
      for (std::size_t i = 0; i < n_; ++i) direction[i] += basis_(i, j) * curvature.lowest_vector[j];
    Vector best;
    double lowest = std::numeric_limits<double>::infinity();
    for (double side : {1.0, -1.0}) {
      Vector moved;
      if (TangentMoves(equations_, 0.0, state_).apply(direction, side * 1e-2 * scale(), moved)) continue;
      const double value = problem_.functions().objective(ConstSpan(moved).subspan(0, n_));
      if (!(value < lowest)) continue;
      lowest = value;
      best = std::move(moved);
    }
    ++result_.saddles_left;
    if (!best.empty()) {
      state_ = std::move(best);
      return std::nullopt;
    }
    return Failure{.kind = FailureKind::projection_failed,
                   .time = result_.flow_time,
                   .what_happened = "the flow came to rest at a saddle, and no way along the constraint leads off it",
                   .what_to_try = "another start",
                   .where = ""};
  }

  Minimum finish(const SymmetricSpectrum& curvature) {
    result_.u.assign(u().begin(), u().end());
    result_.multipliers.assign(lambda().begin(), lambda().end());
    result_.objective = objective();
    result_.curvatures = curvature.values;
    Vector g(problem_.constraint_count()), f(n_);
    problem_.functions().constraint(u(), g);
    equations_.functions().f(u(), lambda(), 0.0, f);
    result_.constraint_residual = max_norm(g);
    result_.gradient_residual = max_norm(f);
    return std::move(result_);
  }

  const Minimisation& problem_;
  const MinimiseOptions& options_;
  Index2 equations_;
  std::unique_ptr<Manifold> manifold_;
  std::size_t n_;
  Vector state_;
  Matrix basis_;
  Minimum result_;
};

}  // namespace

Result<Minimum> minimise(const Minimisation& problem, ConstSpan start, const MinimiseOptions& options) {
  require_positive("small_gradient", options.small_gradient);
  require_positive("bound", options.bound);
  require_at_least<std::size_t>(1, "step_limit", options.step_limit);
  require_at_least(0, "most_saddles", options.most_saddles);
  return Descent(problem, options).run(start);
}

}  // namespace driftless
