#include "driftless/analysis/stability/mean_value_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/analysis/stability/enclosed_jacobian.h"
#include "driftless/core/infinity.h"

namespace driftless {

namespace {

double over_hull(const Index1& form, const Index1Split& split, const Box& box, Quantity quantity) {
  try {
    return split.value(quantity, EnclosedJacobian(form).over(box)).upper();
  } catch (const UndecidedComparison&) {
    return infinity;
  }
}

// The largest coupling on the box, by parts: it is convex, so that no mean of Jacobians has more.
double largest_coupling(const Index1& form, const Index1Split& split, const Box& box, double tau,
                        const Refinement& refinement) {
  EnclosedJacobian jacobian(form);
  BoxFunction function;
  function.over = [&](const Box& part) -> std::optional<Interval> { return split.coupling(tau, jacobian.over(part)); };
  function.at = [&](Box& part) -> std::optional<Interval> {
    part = box_of(part.middle(), part.t.middle());
    return split.coupling(tau, jacobian.over(part));
  };
  return supremum_on(box, function, refinement).upper;
}

// Theorem 3.4 bounds them, too.
double by_product(Quantity quantity, const SplitConstants& c) {
  const Majorant m = majorant_of(c);
  const double bound = quantity == Quantity::reduced          ? m.rate
                       : quantity == Quantity::reduced_gain   ? m.gain
                       : quantity == Quantity::implicit_slope ? m.slope
                                                              : m.direct;
  return std::isnan(bound) ? infinity : bound;
}

double by_coupling(const Index1& form, const Index1Split& split, const Box& box, const SplitConstants& c,
                   const Refinement& refinement) {
  if (!split.norm().is_euclidean() || !c.index_1()) return infinity;
  double best = infinity;
  for (const double tau : Index1Split::coupling_factors(c.differential_from_algebraic, c.algebraic_from_differential))
    best = std::min(best, Index1Split::reduced_bound(c.differential, c.algebraic,
                                                     largest_coupling(form, split, box, tau, refinement), tau));
  return best;
}

}  // namespace

double mean_value_bound(const Index1& form, const Index1Split& split, const Box& box, Quantity quantity,
                        const SplitConstants& constants, const Refinement& refinement) {
  if (!form.functions().encloses()) return infinity;
  double bound = over_hull(form, split, box, quantity);
  if (std::isnan(bound)) bound = infinity;
  if (form.constraint_count() > 0) bound = std::min(bound, by_product(quantity, constants));
  if (quantity != Quantity::reduced || form.constraint_count() == 0) return bound;
  return std::min(bound, by_coupling(form, split, box, constants, refinement));
}

}  // namespace driftless
