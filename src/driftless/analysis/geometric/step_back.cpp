#include "driftless/analysis/geometric/step_back.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/core/stop.h"
#include "driftless/nonlinear/convergence.h"
#include "driftless/step/stepper.h"

namespace driftless {

namespace {

// Broyden's rank-one updates of an approximate inverse, from the identity, which it is but for O(h).
class Broyden {
 public:
  explicit Broyden(std::size_t n) : inverse_(Matrix::identity(n)) {}

  Vector times(ConstSpan x) const {
    Vector y(x.size());
    for (std::size_t j = 0; j < x.size(); ++j)
      for (std::size_t i = 0; i < x.size(); ++i) y[i] += inverse_(i, j) * x[j];
    return y;
  }
  // After the argument changed by s and the residual by y.
  void learn(ConstSpan s, ConstSpan y) {
    const std::size_t n = s.size();
    const Vector by = times(y);
    Vector sb(n);
    double denominator = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) sb[j] += s[i] * inverse_(i, j);
      denominator += s[j] * by[j];
    }
    if (!(std::abs(denominator) > 0.0)) return;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) inverse_(i, j) += (s[i] - by[i]) * sb[j] / denominator;
  }

 private:
  Matrix inverse_;
};

}  // namespace

StepBack::StepBack(const Index2& equations, const Method& method, std::size_t limit)
    : equations_(equations),
      n_(equations.u_size()),
      stepper_(make_stepper(equations, method)),
      workspace_(stepper_->make_workspace()),
      attempt_(stepper_->make_attempt()),
      manifold_(make_manifold(equations)),
      mu1_(manifold_->constraint_count()),
      mu2_(mu1_.size()),
      limit_(limit) {}

std::optional<Failure> StepBack::forward(double t, Span state, double h) {
  check_stop();
  if (++steps_ > limit_)
    throw FailedRun({.kind = FailureKind::too_many_steps,
                     .time = t,
                     .what_happened = fmt::format("more than {} steps of size {:.6g} to follow a run back", limit_, h),
                     .what_to_try = "fewer --points, a method that damps multipliers more, or a larger --step-limit",
                     .where = "the invariant manifold of the method"});
  if (auto failure = stepper_->attempt(t, state, h, *workspace_, attempt_)) return failure;
  std::copy(attempt_.state.begin(), attempt_.state.end(), state.begin());
  return std::nullopt;
}

bool StepBack::project(double t, Span state) {
  return manifold_->project(t, state, true, mu1_, mu2_) == ManifoldStatus::ok;
}

bool StepBack::set_psi_0(double t, Span state) { return manifold_->set_multipliers(t, state) == ManifoldStatus::ok; }

// A step of -h; where the method cannot, Euler on the underlying equation.
std::optional<Failure> StepBack::predict(double t, ConstSpan target, double h, Vector& state) {
  state.assign(target.begin(), target.end());
  set_psi_0(t, state);
  Vector slope(state.size());
  const Vector here = state;
  if (!forward(t, state, -h) && project(t - h, state) && set_psi_0(t - h, state)) return std::nullopt;
  state = here;
  auto status = manifold_->flow(t, state, slope);
  for (std::size_t i = 0; i < n_; ++i) state[i] -= h * slope[i];
  if (status == ManifoldStatus::ok) status = manifold_->project(t - h, state, true, mu1_, mu2_);
  if (status == ManifoldStatus::ok) status = manifold_->set_multipliers(t - h, state);
  if (status == ManifoldStatus::ok) return std::nullopt;
  return explain(status, equations_, t - h, state);
}

Result<Vector> StepBack::solve(double t, ConstSpan target, double h, ConstSpan guess) {
  Vector state(guess.begin(), guess.end());
  if (guess.empty())
    if (auto failure = predict(t, target, h, state)) return *failure;
  Broyden inverse(n_);
  auto monitor = ConvergenceMonitor::to_rounding();
  Vector residual(n_), last_point, last_residual, point(n_);
  while (true) {
    Vector there = state;
    if (auto failure = forward(t - h, there, h)) return *failure;
    double size = 0.0, scale = 1.0;
    for (std::size_t i = 0; i < n_; ++i) {
      residual[i] = there[i] - target[i];
      point[i] = state[i];
      size = std::fmax(size, std::abs(residual[i]));
      scale = std::fmax(scale, std::abs(target[i]));
    }
    const Convergence verdict = monitor.see_relative(size, scale);
    if (verdict == Convergence::arrived) return state;
    if (verdict == Convergence::diverged) break;
    if (!last_point.empty()) {
      Vector s(n_), y(n_);
      for (std::size_t i = 0; i < n_; ++i) {
        s[i] = point[i] - last_point[i];
        y[i] = residual[i] - last_residual[i];
      }
      inverse.learn(s, y);
    }
    last_point = point;
    last_residual = residual;
    const Vector move = inverse.times(residual);
    for (std::size_t i = 0; i < n_; ++i) state[i] -= move[i];
    if (!project(t - h, state)) break;
    if (guess.empty()) set_psi_0(t - h, state);
  }
  return Failure{.kind = FailureKind::newton_did_not_converge,
                 .time = t,
                 .what_happened = fmt::format("no point was found from which a step of size {:.6g} leads here", h),
                 .what_to_try = "take smaller steps, or points further inside the domain of the equations",
                 .where = "the step before"};
}

}  // namespace driftless
