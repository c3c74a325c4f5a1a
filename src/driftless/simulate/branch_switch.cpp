#include "driftless/simulate/branch_switch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/equations/jump_directions.h"
#include "driftless/equations/manifold.h"
#include "driftless/linalg/rank.h"

namespace driftless {

namespace {

constexpr double noticeable = 1e-7;  // of a jump that impulses do not explain
constexpr double allowed = 100.0;    // tolerances

double length(ConstSpan x) {
  double square = 0.0;
  for (const double one : x) square += one * one;
  return std::sqrt(square);
}

// How far D Lambda is from the jump, relative to it.
double left_of(const Matrix& directions, ConstSpan impulses, const Vector& jump) {
  Vector left = jump;
  for (std::size_t l = 0; l < directions.cols(); ++l)
    for (std::size_t j = 0; j < left.size(); ++j) left[j] -= directions(j, l) * impulses[l];
  return length(left) / length(jump);
}

}  // namespace

std::optional<Vector> impulses_between(const Equations& equations, double t, ConstSpan before, ConstSpan after) {
  const auto manifold = make_manifold(equations);
  if (manifold->levels() < 2) return Vector();
  const int level = manifold->levels() - 1;
  const Manifold::Range range = manifold->determined_by(level);
  Vector jump(range.size);
  bool jumps = false;
  for (std::size_t j = 0; j < range.size; ++j) {
    const double from = before[range.begin + j], to = after[range.begin + j];
    const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(from), std::abs(to));
    if (std::abs(to - from) > rounding) jump[j] = to - from;
    jumps |= jump[j] != 0.0;
  }
  if (!jumps) return Vector();
  Matrix there, here;
  if (jump_directions(equations, level, t, after, there) != ManifoldStatus::ok ||
      jump_directions(equations, level, t, before, here) != ManifoldStatus::ok)
    return std::nullopt;
  Vector impulses = least_norm_solution_in_any_units(there, jump);
  if (!(left_of(there, impulses, jump) <= noticeable && left_of(here, impulses, jump) <= noticeable))
    return std::nullopt;
  if (std::holds_alternative<Mechanical>(equations))
    for (double& one : impulses) one = -one;
  return impulses;
}

std::optional<Failure> contradicted_position(const BranchSwitch& change, double t, const Tolerance& tolerance) {
  const auto manifold = make_manifold(change.equations);
  if (manifold->levels() < 3) return std::nullopt;
  const Manifold::Range range = manifold->determined_by(1);
  Vector residual(manifold->constraint_count()), most(residual.size()), sizes(range.size);
  for (std::size_t j = 0; j < range.size; ++j) {
    const double x = change.before[range.begin + j];
    sizes[j] = allowed * (std::max(tolerance.relative, 1e-9) * std::abs(x) +
                          std::max(tolerance.absolute_of(range.begin + j), 1e-12));
  }
  auto status = manifold->residual(1, t, change.before, residual);
  if (status == ManifoldStatus::ok) status = manifold->level_effect(1, t, change.before, sizes, most);
  if (status != ManifoldStatus::ok) return explain(status, change.equations, t, change.before);
  for (std::size_t i = 0; i < residual.size(); ++i)
    if (!(std::abs(residual[i]) <= most[i]))
      return Failure{.kind = FailureKind::inconsistent_start,
                     .time = t,
                     .what_happened = fmt::format(
                         "the event makes a constraint on positions active that does not hold: it is off by {:.3g}, "
                         "and positions do not jump",
                         std::abs(residual[i])),
                     .what_to_try =
                         "let the event come where the constraint holds, or lock where the event comes: x = x0, with "
                         "x0 = x in the when that locks",
                     .where = constraint_names_of(change.equations)[i]};
  return std::nullopt;
}

}  // namespace driftless
