#include "driftless/step/implicit_rk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/linalg/gmres.h"
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

struct ImplicitRk::Columns {
  std::size_t begin, end;
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
  out.newton_iterations = 0;
  Convergence verdict = for_all_stages([&](const Columns& stages) { return iterate(step, stages, out); });
  if (verdict == Convergence::diverged && newton_.damped) {
    memory.z.view().fill(0.0);
    verdict = for_all_stages([&](const Columns& stages) { return iterate_damped(step, stages, out); });
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

// X_i and X_i' = 1/h sum_j omega_ij Z_j.
void ImplicitRk::stage_point(const Step& step, std::size_t i) const {
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
}

// B(X_i) X_i' - F(X_i), which is (2.6) multiplied by A^-1/h.
void ImplicitRk::stage_residual(const Step& step, std::size_t i, Span r) const {
  Memory& m = step.memory;
  stage_point(step, i);
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

// All at once; or one after the other, all with the same few factorisations.
template <class Iteration>
Convergence ImplicitRk::for_all_stages(Iteration&& iterate) const {
  if (!triangular_) return iterate(Columns{0, stages_});
  Convergence verdict = Convergence::arrived;
  for (std::size_t i = 0; i < stages_ && verdict == Convergence::arrived; ++i) verdict = iterate(Columns{i, i + 1});
  return verdict;
}

void ImplicitRk::residuals(const Step& step, const Columns& stages) const {
  for (std::size_t i = stages.begin; i < stages.end; ++i)
    stage_residual(step, i, step.memory.residual.view().column(i));
}

// The residuals r become -M^-1 r with the matrices M at hand.
void ImplicitRk::apply_inverse(const Step& step, const Columns& stages) const {
  Memory& m = step.memory;
  if (!triangular_) {
    correct_stages(basis_, *m.stage_equations, m.residual, m.correction);
    combine_stages(basis_.t, 1.0, m.correction, m.residual);
    return;
  }
  const Span r = m.residual.view().column(stages.begin);
  for (double& x : r) x = -x;
  m.stage_equations->solve_real(slot_[stages.begin], r);
}

// Of the stages by Newton's method: left in `residual`. Returns its norm.
double ImplicitRk::correction(const Step& step, const Columns& stages) const {
  residuals(step, stages);
  apply_inverse(step, stages);
  double norm = 0.0;
  for (std::size_t i = stages.begin; i < stages.end && !std::isnan(norm); ++i) {
    const double stage_norm = correction_norm(step, step.memory.residual.view().column(i));
    norm = std::isnan(stage_norm) ? stage_norm : std::fmax(norm, stage_norm);
  }
  return norm;
}

void ImplicitRk::move(const Step& step, const Columns& stages, double length, const Matrix& direction) const {
  for (std::size_t i = stages.begin; i < stages.end; ++i)
    for (std::size_t k = 0; k < size_; ++k) step.memory.z(k, i) += length * direction(k, i);
}

// Where rounding stops an iteration, corrections up to a billionth are taken for that; more only if it was asked for.
double ImplicitRk::stagnation() const {
  return std::clamp(1e-9 / std::max(newton_.relative, newton_.absolute), 1.0, 1e6);
}

// Simplified: with the matrices of the start.
Convergence ImplicitRk::iterate(const Step& step, const Columns& stages, Attempt& out) const {
  ConvergenceMonitor monitor({.stagnation = stagnation(), .limit = newton_.limit});
  Convergence verdict = Convergence::go_on;
  while (verdict == Convergence::go_on) {
    const double norm = correction(step, stages);
    move(step, stages, 1.0, step.memory.residual);
    verdict = monitor.see(norm);
  }
  out.newton_iterations = std::max(out.newton_iterations, monitor.iterations());
  out.contraction = monitor.contraction();
  return verdict;
}

// With matrices amid the stages in every iteration, and as much of Newton's direction as shortens the next correction
// that the same matrices give (the natural monotonicity test of Deuflhard, which no scaling of the equations changes).
Convergence ImplicitRk::iterate_damped(const Step& step, const Columns& stages, Attempt& out) const {
  constexpr double shortest = 1.0 / 256.0;
  Memory& m = step.memory;
  for (int iteration = 1; iteration <= newton_.limit; ++iteration) {
    out.newton_iterations = std::max(out.newton_iterations, iteration);
    if (!linearise_amid(step, stages)) return Convergence::diverged;
    const double norm = correction(step, stages);
    if (!std::isfinite(norm)) return Convergence::diverged;
    const Matrix before = m.z, direction = newton_direction(step, stages);
    double length = 1.0, next = 0.0;
    for (;; length *= 0.5) {
      m.z = before;
      move(step, stages, length, direction);
      next = correction(step, stages);
      if (next <= (1.0 - 0.25 * length) * norm || norm <= stagnation()) break;
      if (length <= shortest) return Convergence::diverged;
    }
    out.contraction = next / norm;
    if (!(next <= 1.0) && !(norm <= stagnation() && next <= stagnation())) continue;
    move(step, stages, 1.0, m.residual);
    return Convergence::arrived;
  }
  return Convergence::diverged;
}

// From the correction in `residual`, which is Newton's own for one stage, but has one Jacobian for all where there are
// several: their equations M^-1 R'(z) d = -M^-1 R(z), with the simplified matrices M, are solved by GMRES with
// differences of the residuals R.
Matrix ImplicitRk::newton_direction(const Step& step, const Columns& stages) const {
  Memory& m = step.memory;
  Matrix direction = m.residual;
  if (stages.end - stages.begin == 1) return direction;
  const Matrix here = m.z, right = m.residual;
  residuals(step, stages);
  const Matrix residual_here = m.residual;
  const auto all = [](const Matrix& a) { return ConstSpan(a.data(), a.rows() * a.cols()); };
  const double size = max_norm(step.state) + max_norm(all(here)) + std::abs(step.h);
  const LinearMap derivative = [&](ConstSpan d, Span out) {
    const double longest = max_norm(d), way = longest > 0.0 ? 1e-7 * size / longest : 1.0;
    for (std::size_t k = 0; k < d.size(); ++k) m.z.data()[k] = here.data()[k] + way * d[k];
    residuals(step, stages);
    for (std::size_t k = 0; k < d.size(); ++k)
      m.residual.data()[k] = (residual_here.data()[k] - m.residual.data()[k]) / way;
    apply_inverse(step, stages);
    std::ranges::copy(all(m.residual), out.begin());
  };
  gmres(derivative, {}, all(right), {}, Span(direction.data(), all(direction).size()), {.reduction = 1e-2});
  return direction;
}

bool ImplicitRk::linearise_amid(const Step& step, const Columns& stages) const {
  Memory& m = step.memory;
  const double share = 1.0 / static_cast<double>(stages.end - stages.begin);
  Vector point(size_), slope(size_);
  double t = step.t;
  for (std::size_t i = stages.begin; i < stages.end; ++i) {
    stage_point(step, i);
    t += share * method_.tableau.c[i] * step.h;
    for (std::size_t k = 0; k < size_; ++k) {
      point[k] += share * m.point[k];
      slope[k] += share * m.slope[k];
    }
  }
  m.stage_equations->linearise(t, point, slope);
  ++step.work.jacobians;
  return factorise(step);
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
  if (!all_finite(out.state)) return explain_newton(step, out, false);
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
    const bool finite = all_finite(step.memory.point);
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
