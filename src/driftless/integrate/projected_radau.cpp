#include "driftless/integrate/projected_radau.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/integrate/beyond_kink.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

ProjectedRadau::ProjectedRadau(RadauForm& form)
    : form_(form),
      radau_(*form.stage_equations, form.options.most_stages),
      linearisation_(form),
      scale_(form),
      error_(form),
      kept_increments_(form.extended, static_cast<std::size_t>(form.options.most_stages)) {}

int ProjectedRadau::most_coupled_stages() const {
  int stages = form_.options.most_stages;
  while (stages > 0 && !radau_.can_couple(stages)) stages -= 2;
  return std::max(stages, 0);
}

std::optional<Failure> ProjectedRadau::attempt(const Clock& clock, const AcceptedStep& last,
                                               const RadauProposal& proposal, Blame& blame, RadauAttempt& out) {
  const Trial trial{clock, last, proposal, blame, out};
  out.work = {};
  out.newton_iterations = 0;
  if (radau_.is_coupled() && !proposal.coupled) convergence_ = 1.0;  // contraction has to be seen again
  radau_.couple(proposal.coupled);
  radau_.set_stages(proposal.stages);
  if (proposal.across_kink && !go_beyond_kink(trial)) {
    out.newton = {};
    out.jacobian_at_beginning = false;
    return std::nullopt;
  }
  if (auto failure = refresh(trial)) return failure;
  out.jacobian_at_beginning = linearisation_.time() == clock.time();
  out.factor_cost = radau_.factor_cost();
  run(trial);
  out.work += radau_.take_work();
  return std::nullopt;
}

void ProjectedRadau::run(const Trial& trial) {
  RadauAttempt& out = trial.out;
  scale_.set(trial.last.state, trial.clock.h(), trial.proposal.accuracy);
  start_iteration(trial);
  out.newton = iterate(trial);
  if (out.newton.outcome != RadauNewton::Outcome::converged) return;
  out.error = error_.estimate(radau_, trial.clock, trial.last.state, scale_, trial.proposal);
  if (!(out.error < 1.0)) return;
  out.settled = settle(trial);
  if (out.settled == ManifoldStatus::not_finite)
    trial.blame.not_finite(trial.clock.time() + trial.clock.h(), out.state);
  if (out.settled == ManifoldStatus::ok && iteration_ended_early(trial)) go_on_iterating(trial);
}

std::optional<Failure> ProjectedRadau::refresh(const Trial& trial) {
  const auto [jacobian, factors, beyond, from_zero] = trial.proposal.refresh;
  if (trial.proposal.coupled || !(jacobian || factors)) return std::nullopt;
  bool regular = false;
  if (!jacobian) {
    regular = factorise(trial);
  } else if (!(regular = linearise_ahead(trial))) {
    auto status = ManifoldStatus::ok;
    linearisation_.go_to(trial.clock.time(), trial.last.state);
    regular = linearise_here(trial, status);
    if (status != ManifoldStatus::ok)
      return explain(status, form_.equations, trial.clock.time(), ConstSpan(trial.last.state).first(form_.size));
  }
  if (regular) return std::nullopt;
  return explain_singular(trial);
}

// For the Jacobian. False if there is no way to the other side.
bool ProjectedRadau::go_beyond_kink(const Trial& trial) {
  scale_.set(trial.last.state, trial.clock.h(), trial.proposal.accuracy);
  const auto point = BeyondKink(form_, trial.clock, trial.last).point(scale_);
  if (point) linearisation_.go_to(trial.clock.target(), *point);
  return point.has_value();
}

// False where there is no prediction, where it leaves the model's domain, or where the matrix is singular.
bool ProjectedRadau::linearise_ahead(const Trial& trial) {
  ManifoldStatus status;
  if (trial.proposal.refresh.beyond && linearise_here(trial, status)) return true;
  if (!trial.proposal.predicted) return false;
  linearisation_.go_inside(trial.clock, trial.last);
  return linearise_here(trial, status);
}

bool ProjectedRadau::linearise_here(const Trial& trial, ManifoldStatus& status) {
  status = linearisation_.linearise(trial.clock.time());
  if (status != ManifoldStatus::ok) return false;
  ++trial.out.work.jacobians;
  return factorise(trial);
}

bool ProjectedRadau::factorise(const Trial& trial) {
  ++trial.out.work.factorisations;
  return radau_.factorise(trial.clock.h());
}

// A model may be finite where its derivative is not.
Failure ProjectedRadau::explain_singular(const Trial& trial) const {
  const double t = trial.clock.time();
  const ConstSpan state = ConstSpan(trial.last.state).first(form_.size);
  if (!find_not_finite(form_.equations, t, state).empty())
    return explain(ManifoldStatus::not_finite, form_.equations, t, state);
  return {
      .kind = FailureKind::singular_matrix,
      .time = t,
      .what_happened = fmt::format("the Newton matrix of a step of size {:.3g} is singular", trial.clock.h()),
      .what_to_try = "check that every unknown occurs in the equations, and the index at this point with check_index()",
      .where = layout_of(form_.equations).name(std::min(form_.stage_equations->undetermined(), form_.size - 1))};
}

void ProjectedRadau::start_iteration(const Trial& trial) {
  if (trial.proposal.across_kink) {
    BeyondKink(form_, trial.clock, trial.last).start_stages(radau_.constants().c, kept_increments_);
    return radau_.set_increments(kept_increments_);
  }
  if (trial.proposal.refresh.from_zero) return radau_.start_from_zero();
  const double ratio = trial.clock.h() / trial.clock.last_h();
  radau_.continue_polynomial(trial.last.increments, trial.last.stages, ratio);
  // The contraction that was seen last grows with the square of the step.
  if (ratio > 1.0 && !form_.is_classic()) convergence_ *= ratio * ratio;
}

RadauNewton ProjectedRadau::iterate(const Trial& trial) {
  const RadauNewton newton =
      radau_.solve(trial.clock.time(), trial.last.state, trial.clock.h(), scale_.newton_weights(),
                   {.limit = calibrated::newton_limit(radau_.stages()),
                    .tolerance = trial.proposal.accuracy.newton_tolerance,
                    .least_unseen = form_.is_classic() ? 0.0 : calibrated::least_unseen_contraction},
                   convergence_);
  trial.out.newton_iterations += static_cast<std::size_t>(newton.iterations);
  if (newton.outcome == RadauNewton::Outcome::not_finite)
    trial.blame.not_finite(radau_.last_time(), radau_.last_point());
  return newton;
}

// x_{n+1} = x_n + Z_s, projected, with its multiplier; also remembers what the projection changed.
ManifoldStatus ProjectedRadau::settle(const Trial& trial) {
  const Vector& x = trial.last.state;
  Vector& next = trial.out.state;
  const ConstSpan z = radau_.increments().view().column(static_cast<std::size_t>(radau_.stages() - 1));
  for (std::size_t i = 0; i < form_.extended; ++i) next[i] = x[i] + z[i];
  auto status = form_.settle(trial.clock.target(), next);
  if (status == ManifoldStatus::ok) {
    for (std::size_t i = 0; i < form_.extended; ++i) trial.out.correction[i] = next[i] - x[i] - z[i];
    if (form_.manifold->levels() == 1 && moved_far(trial)) return ManifoldStatus::not_converged;
    if (!all_finite(ConstSpan(next).first(form_.size))) status = ManifoldStatus::not_finite;
  }
  return status;
}

// The stages satisfy the constraint of index 1 already, almost: what moves the point by more than the step has done,
// and by a share of the point itself, is another root.
bool ProjectedRadau::moved_far(const Trial& trial) const {
  const double moved = scale_.norm(trial.out.correction);
  const ConstSpan increment = radau_.increments().view().column(static_cast<std::size_t>(radau_.stages() - 1));
  return moved > 1.0 && moved > std::max(scale_.norm(increment), calibrated::far_move * scale_.norm(trial.last.state));
}

// The constraint of index 1 is among the stage equations, and the projection shows what the iteration left of it: where
// the algebraic part is a steep function of the rest, more than it believed.
bool ProjectedRadau::iteration_ended_early(const Trial& trial) const {
  return form_.manifold->levels() == 1 && scale_.norm(trial.out.correction) > calibrated::visible_correction;
}

// A second time, or a third. What does not arrive, as across a kink or within rounding, may have come nearer all the
// same; else what there was is good enough.
void ProjectedRadau::go_on_iterating(const Trial& trial) {
  for (int pass = 0; pass < calibrated::most_passes && iteration_ended_early(trial); ++pass) {
    const double before = scale_.norm(trial.out.correction);
    kept_increments_ = radau_.increments();
    convergence_ = 1.0;  // contraction has to be seen again
    const bool arrived = iterate(trial).outcome == RadauNewton::Outcome::converged;
    const bool settled = settle(trial) == ManifoldStatus::ok;
    if (arrived && settled) continue;
    if (settled && scale_.norm(trial.out.correction) < before) return;
    radau_.set_increments(kept_increments_);
    settle(trial);
    return;
  }
}

void ProjectedRadau::accept(RadauAttempt& attempt, AcceptedStep& last) const {
  last.increments = radau_.increments();
  last.stages = radau_.stages();
  std::swap(last.base, last.state);
  std::swap(last.state, attempt.state);
  std::swap(last.correction, attempt.correction);
}

void ProjectedRadau::restore(const RefreshOrder& due, int stages, bool coupled, double h) {
  radau_.couple(coupled);
  radau_.set_stages(stages);
  if (due.jacobian) return;
  linearisation_.repeat();
  if (!due.factors) radau_.factorise(h);
}

}  // namespace driftless
