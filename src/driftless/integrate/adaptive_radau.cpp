#include "driftless/integrate/adaptive_radau.h"

#include <algorithm>

#include "driftless/core/stop.h"
#include "driftless/integrate/checkpoint.h"
#include "driftless/integrate/projected_radau.h"
#include "driftless/integrate/radau_controller.h"

namespace driftless {

struct AdaptiveRadau::Parts {
  Parts(const Equations& equations, const AdaptiveOptions& options, double begin, double end)
      : form(equations, options),
        radau(form),
        controller(options, form.on_acceleration_level, radau.most_coupled_stages(), form.manifold->levels() <= 2),
        clock(begin, end, options.stepping),
        last(form),
        attempt(form),
        blame(form.size) {}

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(clock, last, controller, radau, blame, statistics);
  }

  RadauForm form;
  ProjectedRadau radau;
  RadauController controller;
  Clock clock;
  AcceptedStep last;
  RadauAttempt attempt;
  Blame blame;
  Statistics statistics;
};

AdaptiveRadau::AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, double begin, double end,
                             ConstSpan state)
    : parts_(std::make_unique<Parts>(equations, options, begin, end)) {
  auto& [form, radau, controller, clock, last, attempt, blame, statistics] = *parts_;
  std::ranges::copy(state, last.state.begin());
  form.set_accelerations(begin, last.state);  // if that fails, so does the first step, with an explanation
  clock.propose(first_step_size(equations, *form.manifold, options, begin, end, this->state(), controller.stages()));
}

AdaptiveRadau::AdaptiveRadau(AdaptiveRadau&&) noexcept = default;
AdaptiveRadau::~AdaptiveRadau() = default;

bool AdaptiveRadau::finished() const { return parts_->clock.finished(); }
double AdaptiveRadau::time() const { return parts_->clock.time(); }
double AdaptiveRadau::step_size() const { return parts_->clock.last_h(); }
int AdaptiveRadau::stages() const { return parts_->last.stages; }
ConstSpan AdaptiveRadau::state() const { return ConstSpan(parts_->last.state).first(parts_->form.size); }
const Statistics& AdaptiveRadau::statistics() const { return parts_->statistics; }

std::optional<Failure> AdaptiveRadau::step() {
  auto& [form, radau, controller, clock, last, attempt, blame, statistics] = *parts_;
  while (!clock.finished()) {
    check_stop();
    if (auto failure = hopeless()) return failure;
    const double t = clock.time(), h = clock.h();
    const RadauProposal next = controller.propose(clock);
    auto failure = radau.attempt(clock, last, next, blame, attempt);
    statistics += attempt.work;
    if (failure) return failure;
    const auto verdict = controller.judge(attempt, clock);
    count_attempt(t, h, verdict.accepted, verdict.cause);
    if (verdict.remember_point) radau.remember_failed_point();
    if (!verdict.accepted) continue;
    blame.accepted(t, h);
    radau.accept(attempt, last);
    break;
  }
  return std::nullopt;
}

std::optional<Failure> AdaptiveRadau::hopeless() {
  auto& [form, radau, controller, clock, last, attempt, blame, statistics] = *parts_;
  if (!clock.count_attempt()) return too_many_attempts(clock);
  if (!clock.collapsed()) return std::nullopt;
  return blame.explain_collapse(form.equations, form.tolerance, statistics, clock, state(),
                                std::min(radau.worst_component(), form.size - 1));
}

void AdaptiveRadau::count_attempt(double t, double h, bool accepted, std::optional<RejectionCause> cause) {
  Statistics& statistics = parts_->statistics;
  statistics.newton_iterations += parts_->attempt.newton_iterations;
  statistics.steps += accepted;
  parts_->controller.count(statistics);
  if (cause) note_rejection(t, h, *cause, statistics);
}

// Where the end of a step asks for no matrices of the manifold, they are those of another point.
void AdaptiveRadau::regularity(Regularity& out) const {
  const RadauForm& form = parts_->form;
  if (form.options.multiplier == MultiplierRule::hidden_constraint)
    form.manifold->regularity_nearby(out);
  else
    form.manifold->regularity(time(), state(), out);
}

bool AdaptiveRadau::decisive(Matrix& out) const {
  const RadauForm& form = parts_->form;
  return form.options.multiplier == MultiplierRule::hidden_constraint && form.manifold->decisive_nearby(out);
}

DenseStep AdaptiveRadau::dense() {
  const double h = step_size();
  const std::size_t size = parts_->form.size;
  const AcceptedStep& last = parts_->last;
  DenseStep dense{.begin = time() - h,
                  .h = h,
                  .valid_until = time(),
                  .stages = last.stages,
                  .multipliers = parts_->form.multipliers,
                  .base = Vector(last.base.begin(), last.base.begin() + static_cast<std::ptrdiff_t>(size)),
                  .increments = {}};
  const Vector& c = radau_constants(last.stages).c;
  for (std::size_t j = 0; j < c.size(); ++j)
    for (std::size_t i = 0; i < size; ++i)
      dense.increments.push_back(last.increments(i, j) + c[j] * last.correction[i]);
  return dense;
}

std::string AdaptiveRadau::checkpoint() const {
  CheckpointWriter writer("radau");
  writer(*parts_);
  return writer.text();
}

// The Jacobian and its factorisations are computed again where they were computed: the same numbers.
AdaptiveRadau::AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, const std::string& checkpoint)
    : parts_(std::make_unique<Parts>(equations, options, 0.0, 0.0)) {
  auto& [form, radau, controller, clock, last, attempt, blame, statistics] = *parts_;
  CheckpointReader reader(checkpoint, "radau");
  reader(*parts_);
  controller.restore();
  const RefreshOrder due = controller.refresh().due();
  if (!last.is_possible(clock.at_beginning(), due.from_zero)) throw Misuse("the checkpoint contradicts itself");
  // What the manifold remembers from the end of the last step: it is settled again from where it came from.
  if (last.stages > 0) {
    for (std::size_t i = 0; i < form.extended; ++i)
      attempt.state[i] = last.base[i] + last.increments(i, static_cast<std::size_t>(last.stages - 1));
    form.settle(time(), attempt.state);
  }
  radau.restore(due, controller.stages(), controller.coupled(), clock.h());
}

}  // namespace driftless
