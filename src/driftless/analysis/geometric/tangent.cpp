#include "driftless/analysis/geometric/tangent.h"

#include <algorithm>
#include <cmath>

#include "driftless/linalg/rank.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

Matrix tangent_basis(const Index2& equations, double t, ConstSpan state) {
  const std::size_t n = equations.u_size(), m = equations.lambda_size();
  Matrix g(m, n + 1);
  equations.functions().g_jacobian(point_of(equations, state), t, g);
  if (m == 0) return Matrix::identity(n);
  const SingularValues decomposition = singular_values(g.view().block(0, 0, m, n));
  std::size_t rank = 0;
  while (rank < decomposition.s.size() && decomposition.s[rank] > rank_tolerance * decomposition.s[0]) ++rank;
  Matrix basis(n, n - rank);
  for (std::size_t j = 0; j < basis.cols(); ++j)
    for (std::size_t i = 0; i < n; ++i) basis(i, j) = decomposition.v(i, rank + j);
  return basis;
}

TangentMoves::TangentMoves(const Index2& equations, double t, ConstSpan state)
    : equations_(equations),
      t_(t),
      state_(state.begin(), state.end()),
      psi_0_(state_),
      manifold_(make_manifold(equations)),
      mu1_(manifold_->constraint_count()),
      mu2_(mu1_.size()) {
  if (manifold_->set_multipliers(t, psi_0_) != ManifoldStatus::ok) psi_0_ = state_;
}

std::optional<Failure> TangentMoves::apply(ConstSpan move, double factor, Vector& moved) {
  moved = psi_0_;
  for (std::size_t i = 0; i < move.size(); ++i) moved[i] += factor * move[i];
  auto status = manifold_->project(t_, moved, true, mu1_, mu2_);
  if (status == ManifoldStatus::ok) status = manifold_->set_multipliers(t_, moved);
  if (status != ManifoldStatus::ok) return explain(status, equations_, t_, moved);
  for (std::size_t i = equations_.u_size(); i < moved.size(); ++i) moved[i] += state_[i] - psi_0_[i];
  return std::nullopt;
}

Result<Matrix> derivative_along(const Index2& equations, double t, ConstSpan state, const Matrix& directions,
                                const StateMap& map, double step) {
  constexpr double offset[] = {-2.0, -1.0, 1.0, 2.0}, weight[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  const std::size_t n = equations.u_size();
  const double h = step * (1.0 + max_norm(point_of(equations, state)));
  TangentMoves moves(equations, t, state);
  Matrix result(n, directions.cols());
  Vector moved;
  for (std::size_t j = 0; j < directions.cols(); ++j)
    for (std::size_t k = 0; k < 4; ++k) {
      if (auto failure = moves.apply(directions.view().column(j), offset[k] * h, moved)) return *failure;
      if (auto failure = map(moved)) return *failure;
      for (std::size_t i = 0; i < n; ++i) result(i, j) += weight[k] / h * moved[i];
    }
  return result;
}

Matrix coordinates_of(const Matrix& basis, const Matrix& a) {
  Matrix result(basis.cols(), a.cols());
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < basis.cols(); ++i)
      for (std::size_t k = 0; k < a.rows(); ++k) result(i, j) += basis(k, i) * a(k, j);
  return result;
}

}  // namespace driftless
