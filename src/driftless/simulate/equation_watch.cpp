#include "driftless/simulate/equation_watch.h"

#include <fmt/format.h>

#include "driftless/step/method.h"

namespace driftless {

namespace {

// In units of what errors of the size of the tolerance explain. All shipped models stay below 1e-5.
constexpr double broken_above = 10.0;

// Whoever switches the projection off, or takes lambda from the stages, wants to see what happens.
bool everything_is_meant_to_hold(const SolveOptions& options) {
  const bool fixed = options.steps || options.step_size;
  const Projection projection = fixed ? projection_of(options.method) : options.radau.projection;
  const MultiplierRule multiplier = fixed ? options.method.multiplier : options.radau.multiplier;
  return projection == Projection::full && multiplier == MultiplierRule::hidden_constraint;
}

}  // namespace

EquationWatch::EquationWatch(const SolveOptions& options, bool every_row)
    : tolerance_(options.tolerance), all_(everything_is_meant_to_hold(options)), rows_(every_row) {}

void EquationWatch::look(const Stretch::Check& check, double t, ConstSpan state, bool keep) {
  if (!check) return;
  EquationState found = check(t, state, tolerance_);
  if (found.ratio > broken_above && !broken_) broken_ = Sight{found, t};
  if (!keep) return;
  ++looks_;
  not_evaluated_ += !found.evaluated;
  if (found.ratio > worst_.equation.ratio) worst_ = {std::move(found), t};
}

void EquationWatch::see_step(const Stretch& stretch, double t, ConstSpan state) {
  look(all_ && at_begin_ ? stretch.equations_hold : stretch.eliminated_hold, t, state, false);
  at_begin_ = false;
}

void EquationWatch::see_row(const Stretch& stretch, double t, ConstSpan state) {
  if (rows_) look(all_ ? stretch.equations_hold : stretch.eliminated_hold, t, state, true);
}

void EquationWatch::see_end(const Stretch& stretch, double t, ConstSpan state) {
  if (all_) look(stretch.equations_hold, t, state, rows_);
}

Failure failure_of(const EquationWatch::Sight& sight) {
  return {
      .kind = FailureKind::equation_violated,
      .time = sight.time,
      .what_happened = fmt::format("the results do not satisfy an equation of the model: it is off by {:.3g}, {:.2g} "
                                   "times what the tolerance explains",
                                   sight.equation.residual, sight.equation.ratio),
      .what_to_try =
          "a smaller relative tolerance; if that does not help, the equations determine these unknowns too badly, "
          "or this is a defect of driftless: please report it",
      .where = sight.equation.worst};
}

}  // namespace driftless
