#include "driftless/study/local_flow.h"

#include <algorithm>
#include <cmath>

#include "driftless/linalg/rank.h"
#include "driftless/study/local_jacobian.h"

namespace driftless {

namespace {

constexpr double move_of_basis = 1e-4;
constexpr double dependent = 1e-6;  // differences of projected states are right to some 1e-11

bool has_multipliers(const Equations& equations) { return !std::holds_alternative<Index1>(equations); }

}  // namespace

LocalFlow::LocalFlow(Equations equations, double t, Vector state)
    : equations_(std::move(equations)), t_(t), state_(std::move(state)), manifold_(make_manifold(equations_)) {
  const Layout& layout = layout_of(equations_);
  n_ = layout.size() - (has_multipliers(equations_) ? layout.size_of("lambda") : 0);
  for (std::size_t i = 0; i < n_; ++i) sizes_.push_back(std::max(layout.usual_size(i), std::abs(state_[i])));
  const auto* const one = std::get_if<Index1>(&equations_);
  if (one == nullptr) return;
  projector_ = one->projector();
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t i = 0; i < n_; ++i) projector_(i, j) *= sizes_[j] / sizes_[i];
}

Vector LocalFlow::part_of_coordinates(const Vector& x) const {
  if (projector_.rows() == 0) return x;
  Vector part(n_, 0.0);
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t i = 0; i < n_; ++i) part[i] += projector_(i, j) * x[j];
  return part;
}

Result<Vector> LocalFlow::moved(ConstSpan move, double factor) const {
  Vector state = state_;
  for (std::size_t i = 0; i < n_; ++i) state[i] += factor * sizes_[i] * move[i];
  if (const auto status = manifold_->settle(t_, state); status != ManifoldStatus::ok)
    return explain(status, equations_, t_, state);
  return state;
}

Result<Vector> LocalFlow::slope(const Vector& state, double t) const {
  Vector at = state, slope(state.size());
  if (const auto status = manifold_->flow_of_all(t, at, slope); status != ManifoldStatus::ok)
    return explain(status, equations_, t, at);
  slope.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) slope[i] /= sizes_[i];
  return part_of_coordinates(slope);
}

Result<Matrix> LocalFlow::tangent_basis() const {
  Matrix moves(n_, n_);
  for (std::size_t j = 0; j < n_; ++j) {
    Vector unit(n_, 0.0);
    unit[j] = 1.0;
    const auto column = derivative_at_zero(
        [&](double s) -> Result<Vector> {
          auto state = moved(unit, s);
          if (!state) return state.failure();
          for (std::size_t i = 0; i < n_; ++i) (*state)[i] /= sizes_[i];
          state->resize(n_);
          return part_of_coordinates(*state);
        },
        move_of_basis);
    if (!column) return column.failure();
    std::copy(column->begin(), column->end(), moves.view().column(j).begin());
  }
  return orthonormal_range(moves, dependent);
}

Result<Matrix> local_jacobian(const LocalFlow& flow, double t, const Matrix& basis, double h) {
  auto slopes = derivatives_along(
      flow, basis, [&](const Vector& state) { return flow.slope(state, t); }, h);
  if (!slopes || basis.cols() == 0) return slopes;
  return in_coordinates(basis, *slopes);
}

}  // namespace driftless
