#include "driftless/analysis/geometric/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/analysis/geometric/flow.h"
#include "driftless/analysis/geometric/tangent.h"
#include "driftless/core/require.h"
#include "driftless/linalg/lu.h"
#include "driftless/linalg/rank.h"
#include "driftless/linalg/spectrum.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

// 0 = f(u, lambda), 0 = g(u) at a fixed time.
class EquilibriumSystem {
 public:
  EquilibriumSystem(const Index2& equations, double t)
      : f_(equations.functions()), n_(equations.u_size()), m_(equations.lambda_size()), t_(t) {}

  Vector residual(ConstSpan x) const {
    Vector r(n_ + m_);
    f_.f(x.subspan(0, n_), x.subspan(n_, m_), t_, Span(r).subspan(0, n_));
    f_.g(x.subspan(0, n_), t_, Span(r).subspan(n_, m_));
    return r;
  }
  // The Newton correction; of least norm where the matrix is singular (redundant constraints, families of equilibria).
  Vector correction(ConstSpan x, const Vector& r) const {
    Matrix f(n_, n_ + m_ + 1), g(m_, n_ + 1), j(n_ + m_, n_ + m_);
    f_.f_jacobian(x.subspan(0, n_), x.subspan(n_, m_), t_, f);
    f_.g_jacobian(x.subspan(0, n_), t_, g);
    for (std::size_t k = 0; k < n_ + m_; ++k) {
      for (std::size_t i = 0; i < n_; ++i) j(i, k) = f(i, k);
      for (std::size_t i = 0; i < m_ && k < n_; ++i) j(n_ + i, k) = g(i, k);
    }
    return least_norm_solution(j, r, 1e-13);
  }

 private:
  const Index2::Functions& f_;
  std::size_t n_, m_;
  double t_;
};

Failure no_equilibrium(double t, double residual, int iterations) {
  return {.kind = FailureKind::newton_did_not_converge,
          .time = t,
          .what_happened =
              fmt::format("no equilibrium was found in {} iterations; the residual is {:.3g}", iterations, residual),
          .what_to_try = "begin nearer to it, for instance where a long run ends",
          .where = "f = 0, g = 0"};
}

// Halves the correction until the residual shrinks; false if it never does.
bool improve(const EquilibriumSystem& system, Vector& x, Vector& r, const Vector& d) {
  for (double part = 1.0; part > 1e-6; part *= 0.5) {
    Vector trial = x;
    for (std::size_t i = 0; i < x.size(); ++i) trial[i] -= part * d[i];
    Vector residual = system.residual(trial);
    if (!(max_norm(residual) < (1.0 - 0.1 * part) * max_norm(r))) continue;
    x = std::move(trial);
    r = std::move(residual);
    return true;
  }
  return false;
}

// The columns of P Gamma^-1 f_u V: with f = 0 the derivative of f(u, psi_0(u)) needs no derivative of g_u.
Result<Matrix> linearised_flow(const Index2& equations, double t, const Vector& state, const Matrix& basis) {
  const std::size_t n = equations.u_size(), m = equations.lambda_size();
  const auto manifold = make_manifold(equations);
  Matrix f(n, n + m + 1), result(n, basis.cols());
  const ConstSpan u = point_of(equations, state);
  equations.functions().f_jacobian(u, ConstSpan(state).subspan(n, m), t, f);
  RealLu gamma(equations.functions().has_gamma() ? n : 0);
  if (gamma.size() > 0) {
    equations.functions().gamma(u, t, gamma.matrix());
    if (!gamma.factorise()) return explain(ManifoldStatus::gamma_singular, equations, t, state);
  }
  for (std::size_t j = 0; j < basis.cols(); ++j) {
    const Span column = result.view().column(j);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i) column[i] += f(i, k) * basis(k, j);
    if (gamma.size() > 0) gamma.solve(column);
    if (const auto status = manifold->remove_normal(t, state, column); status != ManifoldStatus::ok)
      return explain(status, equations, t, state);
  }
  return result;
}

}  // namespace

Result<Equilibrium> find_equilibrium(const Index2& equations, ConstSpan guess, const EquilibriumOptions& options) {
  require_finite("the time of an equilibrium", options.time);
  require_at_least(1, "most_iterations", options.most_iterations);
  auto start = on_continuous_manifold(equations, options.time, guess);
  if (!start) return start.failure();
  const EquilibriumSystem system(equations, options.time);
  Vector x = std::move(*start), r = system.residual(x);
  Equilibrium result;
  auto monitor = ConvergenceMonitor::to_rounding();
  for (;; ++result.iterations) {
    if (!all_finite(r)) return explain(ManifoldStatus::not_finite, equations, options.time, x);
    const Vector d = system.correction(x, r);
    const bool small = monitor.see_relative(max_norm(d), 1.0 + max_norm(x)) == Convergence::arrived;
    if (small || max_norm(r) == 0.0) break;
    if (result.iterations >= options.most_iterations)
      return no_equilibrium(options.time, max_norm(r), result.iterations);
    if (improve(system, x, r, d)) continue;
    if (max_norm(d) <= 1e-9 * (1.0 + max_norm(x))) break;  // rounding
    return no_equilibrium(options.time, max_norm(r), result.iterations);
  }
  result.residual = max_norm(r);
  const Matrix basis = tangent_basis(equations, options.time, x);
  auto flow = linearised_flow(equations, options.time, x, basis);
  if (!flow) return flow.failure();
  result.exponents = eigenvalues_of(coordinates_of(basis, *flow));
  std::stable_sort(result.exponents.begin(), result.exponents.end(),
                   [](const auto& a, const auto& b) { return a.real() > b.real(); });
  result.state = std::move(x);
  return result;
}

Result<std::vector<std::complex<double>>> step_multipliers(const Index2& equations, const Equilibrium& equilibrium,
                                                           const Discretisation& discretisation, double time) {
  const auto flow = make_flow(equations, {.discretisation = discretisation});
  const Matrix basis = tangent_basis(equations, time, equilibrium.state);
  const auto step = [&](Span state) { return flow->advance(time, state, discretisation.step_size); };
  auto derivative = derivative_along(equations, time, equilibrium.state, basis, step, 1e-3);
  if (!derivative) return derivative.failure();
  return eigenvalues_of(coordinates_of(basis, *derivative));
}

}  // namespace driftless
