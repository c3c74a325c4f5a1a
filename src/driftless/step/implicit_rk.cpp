#include "driftless/step/implicit_rk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/step/stage_newton.h"

namespace driftless {

// All memory of a step: the stage increments Z_i = X_i - x_n are the unknowns, as in RADAU5, to keep rounding small.
struct ImplicitRk::Memory final : Stepper::Workspace {
  Memory(const Equations& equations, std::size_t size, std::size_t stages)
      : stage_equations(make_stage_equations(equations)),
        manifold(make_manifold(equations)),
        z(size, stages),
        residual(size, stages),
        correction(size, stages),
        point(size),
        slope(size),
        start_slope(size) {}

  std::unique_ptr<StageEquations> stage_equations;
  std::unique_ptr<Manifold> manifold;
  Matrix z, residual, correction;
  Vector point, slope, start_slope;
};

struct ImplicitRk::Step {
  double t, h;
  ConstSpan state;
  Memory& memory;
  Work& work;
};

ImplicitRk::ImplicitRk(const Equations& equations, const Method& method, const NewtonOptions& newton)
    : equations_(equations),
      method_(method),
      projection_(projection_of(method)),
      newton_(newton),
      size_(layout_of(equations).size()),
      stages_(method.tableau.stages()),
      omega_(inverse_of(method.tableau.a)),
      d_(b_times_inverse(method.tableau)),
      power_(make_stage_equations(equations)->power()) {
  triangular_ = true;
  for (std::size_t i = 0; i < stages_; ++i)
    for (std::size_t j = i + 1; j < stages_; ++j) triangular_ = triangular_ && method.tableau.a(i, j) == 0.0;
  if (!triangular_) {
    basis_ = eigenbasis_of(method.tableau);
    return;
  }
  for (std::size_t i = 0; i < stages_; ++i) {
    const auto same = [&](double x) { return std::abs(x - omega_(i, i)) <= 1e-14 * std::abs(x); };
    const auto found = std::find_if(diagonal_.begin(), diagonal_.end(), same);
    slot_.push_back(static_cast<std::size_t>(found - diagonal_.begin()));
    if (found == diagonal_.end()) diagonal_.push_back(omega_(i, i));
  }
}

std::unique_ptr<Stepper::Workspace> ImplicitRk::make_workspace() const {
  auto memory = std::make_unique<Memory>(equations_, size_, stages_);
  if (triangular_)
    memory->stage_equations->reserve(diagonal_.size(), 0);
  else
    memory->stage_equations->reserve(basis_.real.size(), basis_.pairs.size());
  return memory;
}

Attempt ImplicitRk::make_attempt() const {
  const std::size_t m = make_manifold(equations_)->constraint_count();
  return {.state = Vector(size_), .mu1 = Vector(m), .mu2 = Vector(m)};
}

std::optional<Failure> ImplicitRk::attempt(double t, ConstSpan state, double h, Workspace& workspace,
                                           Attempt& out) const {
  Memory& memory = static_cast<Memory&>(workspace);
  const Step step{t, h, state, memory, out.work};
  out.work = {.evaluations = 1};
  if (const auto status = memory.manifold->derivative(t, state, memory.start_slope); status != ManifoldStatus::ok)
    return explain(status, equations_, t, state);
  memory.stage_equations->linearise(t, state, memory.start_slope);
  ++out.work.jacobians;
  if (!factorise(step)) return explain_newton(step, out, true);
  predict(step);
  Convergence verdict;
  if (triangular_) {
    verdict = iterate_in_turn(step, out);
  } else {
    ConvergenceMonitor monitor({.limit = newton_.limit});
    while ((verdict = iterate_coupled(step, monitor)) == Convergence::go_on) {
    }
    out.newton_iterations = monitor.iterations();
    out.contraction = monitor.contraction();
  }
  if (verdict == Convergence::diverged) return explain_newton(step, out, false);
  finish(step, out);
  return settle(step, out);
}

bool ImplicitRk::factorise(const Step& step) const {
  StageEquations& equations = *step.memory.stage_equations;
  ++step.work.factorisations;
  bool regular = true;
  for (std::size_t k = 0; k < diagonal_.size(); ++k)
    regular = regular && equations.factorise_real(k, diagonal_[k] / step.h);
  return regular && factorise_stages(basis_, step.h, equations);
}

// Along the tangent.
void ImplicitRk::predict(const Step& step) const {
  for (std::size_t i = 0; i < stages_; ++i)
    for (std::size_t j = 0; j < size_; ++j)
      step.memory.z(j, i) = step.h * method_.tableau.c[i] * step.memory.start_slope[j];
}

// B(X_i) X_i' - F(X_i) with X_i' = 1/h sum_j omega_ij Z_j, which is (2.6) multiplied by A^-1/h.
void ImplicitRk::stage_residual(const Step& step, std::size_t i, Span r) const {
  Memory& m = step.memory;
  const std::size_t last = triangular_ ? i + 1 : stages_;
  for (std::size_t k = 0; k < size_; ++k) {
    m.point[k] = step.state[k] + m.z(k, i);
    m.slope[k] = 0.0;
  }
  for (std::size_t j = 0; j < last; ++j) {
    const double weight = omega_(i, j) / step.h;
    for (std::size_t k = 0; k < size_; ++k) m.slope[k] += weight * m.z(k, j);
  }
  m.stage_equations->residual(step.t + method_.tableau.c[i] * step.h, m.point, m.slope, r);
  ++step.work.evaluations;
}

// The largest |d_j| h^power_j / (absolute + relative |x_j|): multipliers count with what they do to the positions.
double ImplicitRk::correction_norm(const Step& step, ConstSpan correction) const {
  const double scale[3] = {1.0, std::abs(step.h), step.h * step.h};
  double norm = 0.0;
  for (std::size_t k = 0; k < size_; ++k) {
    const double weighted = std::abs(correction[k]) * scale[power_[k]] /
                            (newton_.absolute + newton_.relative * std::abs(step.state[k]) * scale[power_[k]]);
    if (std::isnan(weighted)) return weighted;
    norm = std::fmax(norm, weighted);
  }
  return norm;
}

// One simplified Newton iteration for all stages.
Convergence ImplicitRk::iterate_coupled(const Step& step, ConvergenceMonitor& monitor) const {
  Memory& m = step.memory;
  for (std::size_t i = 0; i < stages_; ++i) stage_residual(step, i, m.residual.view().column(i));
  correct_stages(basis_, *m.stage_equations, m.residual, m.correction);
  combine_stages(basis_.t, 1.0, m.correction, m.residual);
  double norm = 0.0;
  for (std::size_t i = 0; i < stages_; ++i) {
    for (std::size_t k = 0; k < size_; ++k) m.z(k, i) += m.residual(k, i);
    const double stage_norm = correction_norm(step, m.residual.view().column(i));
    norm = std::isnan(stage_norm) ? stage_norm : std::fmax(norm, stage_norm);
    if (std::isnan(norm)) break;
  }
  return monitor.see(norm);
}

// Diagonally implicit: a Newton iteration per stage, all with the same few factorisations.
Convergence ImplicitRk::iterate_in_turn(const Step& step, Attempt& out) const {
  Memory& m = step.memory;
  out.newton_iterations = 0;
  for (std::size_t i = 0; i < stages_; ++i) {
    ConvergenceMonitor monitor({.limit = newton_.limit});
    const Span r = m.residual.view().column(i);
    Convergence verdict = Convergence::go_on;
    while (verdict == Convergence::go_on) {
      stage_residual(step, i, r);
      for (double& x : r) x = -x;
      m.stage_equations->solve_real(slot_[i], r);
      for (std::size_t k = 0; k < size_; ++k) m.z(k, i) += r[k];
      verdict = monitor.see(correction_norm(step, r));
    }
    out.newton_iterations = std::max(out.newton_iterations, monitor.iterations());
    out.contraction = monitor.contraction();
    if (verdict == Convergence::diverged) return verdict;
  }
  return Convergence::arrived;
}

// x~ = x_n + sum_i d_i Z_i with d = b^T A^-1: (2.5) for u, v and lambda alike, without evaluating f again.
void ImplicitRk::finish(const Step& step, Attempt& out) const {
  std::copy(step.state.begin(), step.state.end(), out.state.begin());
  for (std::size_t i = 0; i < stages_; ++i)
    if (d_[i] != 0.0)
      for (std::size_t k = 0; k < size_; ++k) out.state[k] += d_[i] * step.memory.z(k, i);
  if (out.increments.rows() == size_ && out.increments.cols() == stages_) out.increments = step.memory.z;
}

// The projection, then the multiplier.
std::optional<Failure> ImplicitRk::settle(const Step& step, Attempt& out) const {
  Manifold& manifold = *step.memory.manifold;
  const double t = step.t + step.h;
  std::fill(out.mu1.begin(), out.mu1.end(), 0.0);
  std::fill(out.mu2.begin(), out.mu2.end(), 0.0);
  if (!std::isfinite(max_norm(out.state))) return explain_newton(step, out, false);
  if (projection_ != Projection::none) {
    const auto status = manifold.project(t, out.state, projection_ == Projection::full, out.mu1, out.mu2);
    if (status != ManifoldStatus::ok) return explain(status, equations_, t, out.state);
    for (double& x : out.mu2) x *= step.h;
  }
  if (method_.multiplier == MultiplierRule::hidden_constraint) {
    const auto status = manifold.set_multipliers(t, out.state);
    if (status != ManifoldStatus::ok) return explain(status, equations_, t, out.state);
  }
  return std::nullopt;
}

Failure ImplicitRk::explain_newton(const Step& step, const Attempt& out, bool singular) const {
  const Layout& layout = layout_of(equations_);
  if (std::string text = find_not_finite(equations_, step.t, step.state); !text.empty())
    return explain(ManifoldStatus::not_finite, equations_, step.t, step.state);
  for (std::size_t i = 0; i < stages_ && !singular; ++i) {
    for (std::size_t k = 0; k < size_; ++k) step.memory.point[k] = step.state[k] + step.memory.z(k, i);
    const double t = step.t + method_.tableau.c[i] * step.h;
    const bool finite = std::isfinite(max_norm(step.memory.point));
    if (finite && !find_not_finite(equations_, t, step.memory.point).empty())
      return explain(ManifoldStatus::not_finite, equations_, t, step.memory.point);
  }
  if (singular)
    return {.kind = FailureKind::singular_matrix,
            .time = step.t,
            .what_happened = fmt::format("the Newton matrix of a step of size {:.3g} is singular", step.h),
            .what_to_try =
                "check that every unknown occurs in the equations, and the index at this point with check_index()",
            .where = layout.name(step.memory.stage_equations->undetermined())};
  std::size_t worst = 0;
  double largest = -1.0;
  for (std::size_t k = 0; k < size_; ++k) {
    const double size = std::abs(step.memory.residual(k, stages_ - 1)) / (1.0 + std::abs(step.state[k]));
    if (!(size <= largest)) {
      largest = size;
      worst = k;
    }
  }
  return {.kind = FailureKind::newton_did_not_converge,
          .time = step.t,
          .what_happened = fmt::format("step size {:.6g}, {} iterations, contraction {:.3g}", step.h,
                                       out.newton_iterations, out.contraction),
          .what_to_try =
              "take smaller steps; if that does not help, look for a discontinuity or a singular configuration here",
          .where = fmt::format("the largest correction is in {}", layout.name(worst))};
}

}  // namespace driftless
