#include "driftless/integrate/adaptive_auto.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "driftless/integrate/calibration.h"
#include "driftless/integrate/checkpoint.h"
#include "driftless/step/iterated_index1.h"

namespace driftless {

namespace {

// The price of an implicit step is bounded if its matrices are small, or known to be sparse.
bool has_cheap_matrices(const Equations& equations) {
  const auto* const index1 = std::get_if<Index1>(&equations);
  const auto* const index2 = std::get_if<Index2>(&equations);
  const auto* const index3 = std::get_if<Index3>(&equations);
  return layout_of(equations).size() <= calibrated::largest_dense ||
         (index1 && index1->functions().pattern() != nullptr) ||
         (index2 && index2->functions().patterns() != nullptr) || (index3 && index3->functions().patterns() != nullptr);
}

// Otherwise it grows with the number of unknowns, and has to be repaid: loose tolerances bring explicit steps to their
// limit now and then, stiff problems keep them there.
std::size_t suspicious_steps_wanted(bool cheap, std::size_t unknowns) {
  if (cheap) return 4;
  const double size = static_cast<double>(unknowns) / static_cast<double>(calibrated::largest_dense);
  return static_cast<std::size_t>(4.0 + 4.0 * size * std::sqrt(size));
}

// Differential equations whose matrices are sparse, with many unknowns.
bool are_many_and_sparse(const Equations& equations) {
  const auto* const form = std::get_if<Index1>(&equations);
  return form != nullptr && form->size() >= calibrated::many_unknowns && form->constraint_count() == 0 &&
         form->functions().pattern() != nullptr && !IteratedIndex1Stage::suits(*form);
}

// In explicit steps, from counts: a factorisation and the solutions of its iteration, beside twelve evaluations.
double price_of_implicit_step(const Index1& form) {
  const LinearSystem matrix(union_of(form.pattern(), form.share_parts()->p.pattern()));
  const double work = matrix.expected_work() + calibrated::solutions_a_step * matrix.expected_solution_work();
  return work / (calibrated::explicit_work_an_unknown * static_cast<double>(form.size()));
}

// Does f_lambda change with lambda?
bool enters_nonlinearly(const Index2& form, double t, ConstSpan state) {
  const std::size_t n = form.u_size(), m = form.lambda_size();
  const ConstSpan u = state.subspan(0, n), lambda = state.subspan(n, m);
  Vector moved(lambda.begin(), lambda.end());
  for (std::size_t l = 0; l < m; ++l) moved[l] += 0.1 * (form.layout().usual_size(n + l) + std::abs(moved[l]));
  const auto* const known = form.functions().patterns();
  const std::size_t count = known ? known->f.begin[n + m] - known->f.begin[n] : n * m;
  Vector here(count), there(count);
  form.functions().f_lambda_values(u, lambda, t, here);
  form.functions().f_lambda_values(u, moved, t, there);
  double size = 0.0, change = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    size = std::max(size, std::abs(here[k]));
    change = std::max(change, std::abs(there[k] - here[k]));
  }
  return change > 1e-8 * size;
}

// Algebraic equations that are solved by iteration at every stage make explicit steps cost more.
bool solves_by_iteration(const Equations& equations, double t, ConstSpan state) {
  if (const auto* index2 = std::get_if<Index2>(&equations))
    return has_cheap_matrices(equations) && enters_nonlinearly(*index2, t, state);
  return std::holds_alternative<Index1>(equations) && index_of(equations) > 0;
}

}  // namespace

// Order 5 does not repay: at loose tolerances it takes 1.1 times as long in the mean, with errors ten times larger.
const ExplicitPair& AdaptiveAuto::pair() const { return dop853_pair(); }
const Integrator& AdaptiveAuto::current() const {
  return radau_ ? static_cast<const Integrator&>(*radau_) : static_cast<const Integrator&>(*explicit_);
}
Integrator& AdaptiveAuto::current() {
  return radau_ ? static_cast<Integrator&>(*radau_) : static_cast<Integrator&>(*explicit_);
}

AdaptiveAuto::AdaptiveAuto(const Equations& equations, const AdaptiveOptions& options, double begin, double end,
                           ConstSpan state)
    : equations_(equations),
      options_(options),
      end_(end),
      cheap_(has_cheap_matrices(equations)),
      many_(are_many_and_sparse(equations)),
      always_implicit_(solves_by_iteration(equations, begin, state)),
      radius_(equations_, options_.tolerance) {
  if (!always_implicit_) radius_.prepare();
  if (options_.begin_implicit || always_implicit_)
    radau_ = std::make_unique<AdaptiveRadau>(equations_, options_, begin, end_, state);
  else
    explicit_ = std::make_unique<AdaptiveExplicit>(equations_, options_, pair(), begin, end_, state);
}

std::optional<Failure> AdaptiveAuto::step() {
  if (finished()) return std::nullopt;
  if (!turn_because_.empty()) {
    if (radau_)
      turn_explicit(std::exchange(turn_because_, {}));
    else
      turn_implicit(std::exchange(turn_because_, {}));
  }
  auto failure = current().step();
  if (failure && explicit_ && failure->kind == FailureKind::step_size_too_small && !explicit_from_now_) {
    turn_implicit("the explicit step size collapsed");
    if (!current().step()) failure.reset();  // else the first one knows better what happened
  } else if (failure && radau_ && !always_implicit_ && has_turned() && !explicit_from_now_) {
    // Explicit steps need no derivatives of the model: they may get farther, and tell better what is not finite.
    explicit_from_now_ = true;
    turn_explicit("implicit steps failed");
    auto other = current().step();
    if (!other || other->kind == FailureKind::not_finite) failure = std::move(other);
  }
  ++since_change_;
  if (!failure && explicit_ && !explicit_from_now_) watch_explicit();
  if (!failure && radau_) watch_implicit();
  (statistics_ = before_) += current().statistics();
  return failure;
}

DenseStep AdaptiveAuto::dense() {
  DenseStep dense = current().dense();
  (statistics_ = before_) += current().statistics();
  return dense;
}

// The first steps of many unknowns: if they are stiff, each explicit one is a loss.
bool AdaptiveAuto::looks_closely() const { return many_ && !has_turned() && since_change_ <= calibrated::check_every; }

// A step went far beyond the stability limit, and its error was small: there is nothing to resolve. The next ones would
// be stirred up, cut, and grow again.
bool AdaptiveAuto::is_clearly_stiff(double fastest) const {
  return fastest > calibrated::clearly_unresolved * pair().stability_radius;
}

// Would what is left cost more in explicit steps at their limit than in some implicit ones? Asked for many unknowns.
bool AdaptiveAuto::implicit_pays(double fastest) {
  if (!many_) return true;
  if (implicit_price_ == 0.0) implicit_price_ = price_of_implicit_step(std::get<Index1>(equations_));
  const double limits = fastest / pair().stability_radius;
  return limits * std::abs((end_ - time()) / step_size()) > calibrated::implicit_steps * implicit_price_;
}

// The fastest mode on the manifold, in units of the step.
double AdaptiveAuto::fastest_mode() {
  before_.evaluations += 2;
  return std::abs(step_size()) * radius_.estimate(time(), state());
}

// Beyond the stability limit a mode cannot be resolved, so that it can only be in the way.
void AdaptiveAuto::watch_explicit() {
  if (explicit_->met_lost_point() && state().size() <= calibrated::largest_dense) {
    turn_because_ = "an explicit step led to a point from which there is no way back to the constraints";
    return;
  }
  const bool closely = looks_closely();
  if (since_change_ % calibrated::check_every != 0 && suspicious_steps_ == 0 && !closely) return;
  if (closely && since_change_ == 1)
    for (std::size_t k = 1; k < calibrated::first_iterations; ++k) fastest_mode();  // each comes nearer
  const double fastest = fastest_mode();
  if (since_change_ % calibrated::check_every == 0) watch_oscillation(fastest);
  suspect(fastest);
  const bool is_clear = closely && is_clearly_stiff(fastest);
  if (!is_clear && suspicious_steps_ < suspicious_steps_wanted(cheap_, state().size())) return;
  if (!implicit_pays(fastest)) return;
  turn_because_ = fmt::format("stability, not accuracy, limits explicit steps: h |eigenvalue| = {:.3g} at h = {:.3g}",
                              fastest, step_size());
}

// Where matrices are cheap, steps beyond the limit count as long as they follow each other. Where a mistake is dear, a
// mean of the sizes that were tried tells more: at the limit, steps are cut by errors now and then and grow again, and
// no single one of them is a proof of anything.
void AdaptiveAuto::suspect(double fastest) {
  const double limit = pair().stability_radius;
  if (cheap_) {
    suspicious_steps_ = fastest > calibrated::unresolved * limit ? suspicious_steps_ + 1 : 0;
    return;
  }
  const double tried = std::min(fastest * explicit_->tried_step_size() / step_size() / limit, calibrated::most_tried);
  if (suspicious_steps_ == 0) {
    mean_tried_ = calibrated::unresolved;
    suspicious_steps_ = tried > calibrated::unresolved;
    return;
  }
  mean_tried_ += 0.2 * (tried - mean_tried_);
  if (mean_tried_ > calibrated::at_limit)
    ++suspicious_steps_;
  else if (mean_tried_ < calibrated::cleared)
    suspicious_steps_ = 0;
}

// A mode of full amplitude forces explicit steps down to about this h |eigenvalue|.
double AdaptiveAuto::resolving() const {
  return 1.2 * std::pow(options_.tolerance.relative / 1e-6, 1.0 / pair().order);
}

// If steps stay well above that for long, it is a fast mode of small amplitude that sets the pace, which the
// high orders of Radau follow with longer steps.
void AdaptiveAuto::watch_oscillation(double fastest) {
  if (state().size() > calibrated::largest_dense) return;
  oscillating_checks_ = fastest > calibrated::oscillation * resolving() ? oscillating_checks_ + 1 : 0;
  if (oscillating_checks_ < calibrated::oscillating_checks_wanted) return;
  oscillates_ = true;
  turn_because_ = fmt::format(
      "a fast mode of small amplitude limits explicit steps: h |eigenvalue| = {:.3g} at "
      "h = {:.3g}",
      fastest, step_size());
}

// Radau's steps could as well be explicit ones.
void AdaptiveAuto::watch_implicit() {
  if (always_implicit_ || (since_change_ % calibrated::check_every != 0 && suspicious_steps_ == 0)) return;
  const double fastest = fastest_mode(), easy = oscillates_ ? calibrated::no_oscillation * resolving()
                                                            : calibrated::resolved * pair().stability_radius;
  suspicious_steps_ = fastest > 0.0 && fastest < easy ? suspicious_steps_ + 1 : 0;
  if (suspicious_steps_ < easy_steps_wanted_) return;
  turn_because_ = fmt::format("no longer stiff: h |eigenvalue| = {:.3g} at h = {:.3g}", fastest, step_size());
}

void AdaptiveAuto::turn_implicit(const std::string& why) {
  // Soon after it turned explicit: be more patient before the next time. Where points were lost, others will be.
  if (explicit_->met_lost_point()) easy_steps_wanted_ = calibrated::most_patience;
  if (has_turned() && since_change_ < calibrated::soon)
    easy_steps_wanted_ = std::min<std::size_t>(calibrated::most_patience, 2 * easy_steps_wanted_);
  before_ += explicit_->statistics();
  ++before_.turned_implicit;
  changes_.push_back({explicit_->time(), "radau", why});
  AdaptiveOptions options = options_;
  options.stepping.first = std::abs(explicit_->next_step_size());
  radau_ = std::make_unique<AdaptiveRadau>(equations_, options, explicit_->time(), end_, explicit_->state());
  explicit_.reset();
  if (rejections_) radau_->note_rejections(*rejections_);
  suspicious_steps_ = oscillating_checks_ = since_change_ = 0;
}

void AdaptiveAuto::turn_explicit(const std::string& why) {
  before_ += radau_->statistics();
  ++before_.turned_explicit;
  changes_.push_back({radau_->time(), pair().name, why});
  AdaptiveOptions options = options_;
  options.stepping.first = 0.5 * std::abs(radau_->step_size());
  explicit_ = std::make_unique<AdaptiveExplicit>(equations_, options, pair(), radau_->time(), end_, radau_->state());
  radau_.reset();
  if (rejections_) explicit_->note_rejections(*rejections_);
  suspicious_steps_ = oscillating_checks_ = since_change_ = 0;
}

std::string AdaptiveAuto::checkpoint() const {
  CheckpointWriter writer("automatic");
  writer(radau_ != nullptr, *this);
  return writer.text() + current().checkpoint();
}

AdaptiveAuto::AdaptiveAuto(const Equations& equations, const AdaptiveOptions& options, const std::string& checkpoint)
    : equations_(equations),
      options_(options),
      cheap_(has_cheap_matrices(equations)),
      many_(are_many_and_sparse(equations)),
      radius_(equations_, options_.tolerance) {
  CheckpointReader reader(checkpoint, "automatic");
  bool was_implicit = false;
  reader(was_implicit, *this);
  if (was_implicit)
    radau_ = std::make_unique<AdaptiveRadau>(equations_, options_, reader.rest());
  else
    explicit_ = std::make_unique<AdaptiveExplicit>(equations_, options_, pair(), reader.rest());
}

}  // namespace driftless
