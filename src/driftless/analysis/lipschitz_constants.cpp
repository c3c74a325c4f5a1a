#include "driftless/analysis/lipschitz_constants.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "driftless/analysis/enclosed_jacobian.h"
#include "driftless/core/failure.h"
#include "driftless/equations/manifold.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void require_box(const Index1& form, const Box& box) {
  if (box.x.size() != form.size())
    throw Misuse(fmt::format("the box has {} sides, but there are {} unknowns", box.x.size(), form.size()));
}

// Could Q f = -Qp hold for some x of the last box and some |Qp| up to `radius`? In coordinates of Im Q.
bool meets_manifold(const Index1Split& split, const std::vector<Interval>& f, double radius) {
  const Matrix& rows = split.q_coordinates();
  for (std::size_t k = 0; k < rows.rows(); ++k) {
    Interval residual;
    double length = 0.0;
    for (std::size_t i = 0; i < rows.cols(); ++i) {
      residual += Interval(rows(k, i)) * f[i];
      length += rows(k, i) * rows(k, i);
    }
    // The norm bounds every coordinate up to a factor; the coordinates of a point of the box of |Qp| are within it.
    const double slack = radius * std::sqrt(length) * (1.0 + 1e-12);
    if (residual.lower() > slack || residual.upper() < -slack) return false;
  }
  return true;
}

// The radius of the Euclidean ball that contains { x : |x| <= radius } in the norm given.
double euclidean_radius(const Norm& norm, std::size_t n, double radius) {
  if (radius == 0.0) return 0.0;
  double factor = norm.kind() == Norm::Kind::maximum ? std::sqrt(static_cast<double>(n)) : 1.0;
  if (norm.matrix()) factor /= smallest_singular_value(*norm.matrix());
  return radius * factor * (1.0 + 1e-12);
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
  const double radius = euclidean_radius(split.norm(), form.size(), options.manifold_radius);
  EnclosedJacobian jacobian(form);
  const auto manifold = make_manifold(form);
  BoxFunction function;
  function.over = [&](const Box& part) -> std::optional<Interval> {
    const IntervalMatrix& j = jacobian.over(part);
    if (on_manifold && !meets_manifold(split, jacobian.f(), radius)) return std::nullopt;
    return split.value(quantity, j);
  };
  function.at = [&](Box& part) -> std::optional<Interval> {
    Vector x = part.middle();
    const double t = part.t.middle();
    if (on_manifold && (manifold->set_multipliers(t, x) != ManifoldStatus::ok || !box.contains(x))) return std::nullopt;
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
