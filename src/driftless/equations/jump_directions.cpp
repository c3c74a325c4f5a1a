#include "driftless/equations/jump_directions.h"

#include "driftless/equations/manifold_wide.h"
#include "driftless/linalg/kkt.h"
#include "driftless/linalg/lu.h"

namespace driftless {

namespace {

struct Directions {
  int level;
  double t;
  ConstSpan state;
  Matrix& out;

  ManifoldStatus operator()(const Index1& form) const {
    out = form.q_image();
    return ManifoldStatus::ok;
  }

  ManifoldStatus operator()(const Index2& form) const {
    const std::size_t n = form.u_size(), m = form.lambda_size();
    const ConstSpan u = state.subspan(0, n), lambda = state.subspan(n, m);
    out = Matrix(n, m);
    form.functions().f_by_lambda(u, lambda, t, out);
    if (!form.functions().has_gamma()) return ManifoldStatus::ok;
    RealLu gamma(n);
    form.functions().gamma(u, t, gamma.matrix());
    if (!gamma.factorise()) return ManifoldStatus::gamma_singular;
    for (std::size_t l = 0; l < m; ++l) gamma.solve(out.view().column(l));
    return ManifoldStatus::ok;
  }

  ManifoldStatus operator()(const Index3& form) const {
    const std::size_t n = form.u_size(), p = form.v_size(), m = form.lambda_size();
    const ConstSpan u = state.subspan(0, n), v = state.subspan(n, p), lambda = state.subspan(n + p, m);
    Matrix by_all(p, n + p + m + 1), turn(p, m);
    form.functions().k_jacobian(u, v, lambda, t, by_all);
    for (std::size_t l = 0; l < m; ++l)
      for (std::size_t k = 0; k < p; ++k) turn(k, l) = by_all(k, n + p + l);
    if (level == 2) {
      out = std::move(turn);
      return ManifoldStatus::ok;
    }
    Matrix slope(n, n + p + 1);
    form.functions().f_jacobian(u, v, t, slope);
    out = Matrix(n, m);
    for (std::size_t l = 0; l < m; ++l)
      for (std::size_t k = 0; k < p; ++k)
        for (std::size_t j = 0; j < n; ++j) out(j, l) += slope(j, n + k) * turn(k, l);
    return ManifoldStatus::ok;
  }

  ManifoldStatus operator()(const Mechanical& form) const {
    const std::size_t n = form.q_size(), m = form.lambda_size();
    const ConstSpan q = state.subspan(0, n);
    Matrix gradients(m, n + 1), mass(n, n);
    form.functions().constraint_jacobian(q, t, gradients);
    out = Matrix(n, m);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) out(j, i) = gradients(i, j);
    if (!form.functions().has_mass()) return ManifoldStatus::ok;
    form.functions().mass(q, t, mass);
    RealLu lu(n);
    lu.matrix() = mass;
    if (!lu.factorise()) return ManifoldStatus::mass_not_positive_definite;
    for (std::size_t i = 0; i < m; ++i) lu.solve(out.view().column(i));
    return ManifoldStatus::ok;
  }

  ManifoldStatus operator()(const WideMechanical& form) const {
    return WideManifold(form).jump_directions(level, t, state, out);
  }
};

}  // namespace

ManifoldStatus jump_directions(const Equations& equations, int level, double t, ConstSpan state, Matrix& out) {
  return std::visit(Directions{level, t, state, out}, equations);
}

}  // namespace driftless
