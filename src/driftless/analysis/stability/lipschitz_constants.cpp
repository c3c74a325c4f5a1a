#include "driftless/analysis/stability/lipschitz_constants.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "driftless/analysis/stability/constraint_graph.h"
#include "driftless/analysis/stability/enclosed_jacobian.h"
#include "driftless/core/failure.h"
#include "driftless/core/infinity.h"
#include "driftless/equations/manifold.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

void require_box(const Index1& form, const Box& box) {
  if (box.x.size() != form.size())
    throw Misuse(fmt::format("the box has {} sides, but there are {} unknowns", box.x.size(), form.size()));
}

}  // namespace

double value_at(const Index1& form, const Index1Split& split, Quantity quantity, ConstSpan x, double t) {
  const std::size_t n = form.size();
  Matrix all(n, n + 1);
  form.functions().f_jacobian(x, t, all);
  return split.value(quantity, copy_of(all.view().block(0, 0, n, n)));
}

LipschitzConstant lipschitz_constant(const Index1& form, const Box& box, Quantity quantity,
                                     const LipschitzOptions& options) {
  return lipschitz_constant(form, Index1Split(form.projector(), options.norm), box, quantity, options);
}

LipschitzConstant lipschitz_constant(const Index1& form, const Index1Split& split, const Box& box, Quantity quantity,
                                     const LipschitzOptions& options) {
  require_box(form, box);
  LipschitzConstant result = sampled_constant(form, split, box, quantity, options);
  result.lower = -infinity;
  result.upper = infinity;
  if (!options.enclose || !form.functions().encloses()) return result;
  const bool on_manifold = lives_on_manifold(quantity) && form.constraint_count() > 0;
  const PerturbedManifold perturbed(split, options.manifold_radius);
  EnclosedJacobian jacobian(form);
  const auto manifold = make_manifold(form);
  BoxFunction function;
  ConstraintNarrowing narrowing(form, split, box, on_manifold ? options.monotonicity : 0.0, options.manifold_radius);
  function.over = [&](const Box& whole_part) -> std::optional<Interval> {
    Box part = whole_part;
    if (!narrowing.narrow(part)) return std::nullopt;
    const IntervalMatrix& j = jacobian.over(part);
    if (on_manifold && !perturbed.may_meet(jacobian.f())) return std::nullopt;
    return split.value(quantity, j);
  };
  function.at = [&](Box& part) -> std::optional<Interval> {
    Vector x = part.middle();
    const double t = part.t.middle();
    if (on_manifold && (!bring_to_constraint(*manifold, form, t, x) || !box.contains(x))) return std::nullopt;
    part = box_of(x, t);
    return split.value(quantity, jacobian.over(part));
  };
  const Supremum found = supremum_on(box, function, options.refinement);
  result.lower = found.lower;
  result.upper = found.upper;
  result.boxes = found.boxes;
  result.undecided = found.undecided;
  result.certain = std::isfinite(found.upper) || found.upper == -infinity;
  if (found.lower > result.sampled) {
    result.sampled = found.lower;
    result.sampled_at = found.where;
    result.sampled_time = found.time;
  }
  return result;
}

}  // namespace driftless
