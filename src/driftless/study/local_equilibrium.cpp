#include "driftless/study/local_equilibrium.h"

#include <fmt/format.h>

#include <limits>

#include "driftless/core/stop.h"
#include "driftless/linalg/rank.h"
#include "driftless/study/local_jacobian.h"

namespace driftless {

namespace {

constexpr double rounding = 1e-13;  // of a slope, in usual sizes
constexpr int most_newton = 50, most_steps = 500;

// A state with its slope and its linear system.
struct Here {
  LocalFlow flow;
  Vector slope;
  Matrix basis = {}, a = {};

  double size() const { return max_of(slope); }
};

Result<Here> here(const Equations& equations, double t, const Vector& state) {
  check_stop();
  LocalFlow flow(equations, t, state);
  auto slope = flow.slope(state, t);
  if (!slope) return slope.failure();
  Here found{std::move(flow), *std::move(slope)};
  auto basis = found.flow.tangent_basis();
  if (!basis) return basis.failure();
  auto a = local_jacobian(found.flow, t, *basis);
  if (!a) return a.failure();
  found.basis = *std::move(basis);
  found.a = *std::move(a);
  return found;
}

// The move y with (I/h - A) y = V^T F, in usual sizes; h infinite: Newton's, of least norm where A is singular.
Vector move(const Here& at, double h) {
  Matrix matrix = at.a;
  for (std::size_t j = 0; j < matrix.cols(); ++j) {
    for (std::size_t i = 0; i < matrix.rows(); ++i) matrix(i, j) = -matrix(i, j);
    matrix(j, j) += 1.0 / h;
  }
  return product(at.basis, least_norm_solution(matrix, in_coordinates(at.basis, at.slope), zero_singular_value));
}

// Steps are halved until the slope falls.
Result<Vector> newton(const Equations& equations, double t, Vector state) {
  for (int k = 0; k < most_newton; ++k) {
    const auto at = here(equations, t, state);
    if (!at) return at.failure();
    if (at->size() <= rounding) break;
    const Vector direction = move(*at, std::numeric_limits<double>::infinity());
    bool improved = false;
    for (double part = 1.0; part > 1e-6 && !improved; part *= 0.5) {
      const auto next = at->flow.moved(direction, part);
      const auto there = next ? at->flow.slope(*next, t) : Result<Vector>(next.failure());
      if (!there || !(max_of(*there) < at->size())) continue;
      state = *next;
      improved = true;
    }
    if (!improved) break;  // rounding, or no way down
  }
  return state;
}

// Implicit Euler with h in inverse proportion to the slope (pseudo-transient continuation: C. T. Kelley, D. E. Keyes,
// SIAM J. Numer. Anal. 35, 1998), until Newton's method arrives.
Result<Vector> relaxed(const Equations& equations, double t, Vector state, double& left) {
  double first = 0.0, tried = 0.0, shorter = 1.0;
  for (int k = 0; k < most_steps && shorter > 1e-9; ++k) {
    const auto at = here(equations, t, state);
    if (!at) return at.failure();
    left = at->size();
    if (k == 0) first = tried = left;
    if (left < 0.1 * tried) {
      tried = left;
      auto found = newton(equations, t, state);
      if (found && max_of(*LocalFlow(equations, t, *found).slope(*found, t)) <= slope_of_rest) return found;
    }
    auto next = at->flow.moved(move(*at, shorter * 0.3 * std::max(1.0, first / left) / first), 1.0);
    if (next)
      state = *std::move(next);
    else
      shorter *= 0.25;
  }
  return state;
}

}  // namespace

Result<Vector> equilibrium_near(const Equations& equations, double t, const Vector& state) {
  const auto size_at = [&](const Vector& x) {
    const auto slope = LocalFlow(equations, t, x).slope(x, t);
    return slope ? max_of(*slope) : std::numeric_limits<double>::infinity();
  };
  auto found = newton(equations, t, state);
  if (found && size_at(*found) <= slope_of_rest) return found;
  double left = 0.0;
  found = relaxed(equations, t, state, left);
  if (found && size_at(*found) <= slope_of_rest) return found;
  return Failure{.kind = FailureKind::newton_did_not_converge,
                 .time = t,
                 .what_happened = fmt::format("no equilibrium was found: what is left changes by {:.3g} of its usual "
                                              "size a unit of time",
                                              left),
                 .what_to_try = "begin nearer to it: other start values, or the end of a long run (--at)",
                 .where = ""};
}

}  // namespace driftless
