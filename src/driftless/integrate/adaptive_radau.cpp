#include "driftless/integrate/adaptive_radau.h"

#include <algorithm>

#include "driftless/core/stop.h"
#include "driftless/integrate/checkpoint.h"

namespace driftless {

AdaptiveRadau::AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, double begin, double end)
    : form_(std::make_unique<RadauForm>(equations, options)),
      radau_(*form_),
      controller_(options, form_->on_acceleration_level, radau_.most_coupled_stages()),
      clock_(begin, end, options.stepping),
      last_(*form_),
      attempt_(*form_),
      blame_(form_->size) {}

AdaptiveRadau::AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, double begin, double end,
                             ConstSpan state)
    : AdaptiveRadau(equations, options, begin, end) {
  std::ranges::copy(state, last_.state.begin());
  form_->set_accelerations(begin, last_.state);  // if that fails, so does the first step, with an explanation
  clock_.propose(
      first_step_size(form_->equations, *form_->manifold, options, begin, end, this->state(), controller_.stages()));
}

std::optional<Failure> AdaptiveRadau::step() {
  if (finished()) return std::nullopt;
  while (true) {
    check_stop();
    if (auto failure = hopeless()) return failure;
    const double t = clock_.time(), h = clock_.h();
    const RadauProposal next = controller_.propose(clock_);
    auto failure = radau_.attempt(clock_, last_, next, blame_, attempt_);
    statistics_ += attempt_.work;
    if (failure) return failure;
    const auto verdict = controller_.judge(attempt_, clock_);
    count_attempt(t, h, verdict);
    if (verdict.remember_point) radau_.remember_failed_point();
    if (!verdict.accepted) continue;
    blame_.accepted(t, h);
    radau_.accept(attempt_, last_);
    return std::nullopt;
  }
}

std::optional<Failure> AdaptiveRadau::hopeless() {
  if (!clock_.count_attempt()) return too_many_attempts(clock_);
  if (!clock_.collapsed()) return std::nullopt;
  return blame_.explain_collapse(form_->equations, form_->tolerance, statistics_, clock_, state(),
                                 std::min(radau_.worst_component(), form_->size - 1));
}

void AdaptiveRadau::count_attempt(double t, double h, const RadauController::Verdict& verdict) {
  statistics_.newton_iterations += attempt_.newton_iterations;
  statistics_.steps += verdict.accepted;
  controller_.count(statistics_);
  if (verdict.cause) note_rejection(t, h, *verdict.cause, statistics_);
}

// Where the end of a step asks for no matrices of the manifold, they are those of another point.
void AdaptiveRadau::regularity(Regularity& out) const {
  if (form_->options.multiplier == MultiplierRule::hidden_constraint)
    form_->manifold->regularity_nearby(out);
  else
    form_->manifold->regularity(time(), state(), out);
}

DenseStep AdaptiveRadau::dense() {
  const double h = clock_.last_h();
  DenseStep dense{.begin = time() - h,
                  .h = h,
                  .valid_until = time(),
                  .stages = last_.stages,
                  .multipliers = form_->multipliers,
                  .base = Vector(last_.base.begin(), last_.base.begin() + static_cast<std::ptrdiff_t>(form_->size)),
                  .increments = {}};
  const Vector& c = radau_constants(last_.stages).c;
  for (std::size_t j = 0; j < c.size(); ++j)
    for (std::size_t i = 0; i < form_->size; ++i)
      dense.increments.push_back(last_.increments(i, j) + c[j] * last_.correction[i]);
  return dense;
}

std::string AdaptiveRadau::checkpoint() const {
  CheckpointWriter writer("radau");
  writer(*this);
  return writer.text();
}

// The Jacobian and its factorisations are computed again where they were computed: the same numbers.
AdaptiveRadau::AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, const std::string& checkpoint)
    : AdaptiveRadau(equations, options, 0.0, 0.0) {
  CheckpointReader reader(checkpoint, "radau");
  reader(*this);
  controller_.restore();
  const RefreshOrder due = controller_.refresh().due();
  if (!last_.is_possible(clock_.at_beginning(), due.from_zero)) throw Misuse("the checkpoint contradicts itself");
  // What the manifold remembers from the end of the last step: it is settled again from where it came from.
  if (last_.stages > 0) {
    for (std::size_t i = 0; i < form_->extended; ++i)
      attempt_.state[i] = last_.base[i] + last_.increments(i, static_cast<std::size_t>(last_.stages - 1));
    form_->settle(time(), attempt_.state);
  }
  radau_.restore(due, controller_.stages(), controller_.coupled(), clock_.h());
}

}  // namespace driftless
