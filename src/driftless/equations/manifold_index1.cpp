#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/scratch.h"
#include "driftless/core/stop.h"
#include "driftless/equations/manifold_forms.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

Index1Manifold::Index1Manifold(const Index1& form)
    : f_(form.share()),
      p_(form.projector()),
      image_(form.q_image()),
      rows_(form.q_rows()),
      n_(form.size()),
      m_(form.constraint_count()),
      f_jacobian_(n_, n_),
      value_(n_),
      s_(m_),
      norm_(form.layout()) {
  if (norm_.is_plain()) return;
  // A coordinate along a basis vector is as large as the first component that it makes large.
  Vector sizes(m_, std::numeric_limits<double>::max());
  for (const auto& [j, l, value] : image_.entries()) sizes[l] = std::min(sizes[l], norm_.usual(j) / std::abs(value));
  s_.set_sizes(sizes);
}

// Q f = 0 in an orthonormal basis of the rows of Q: as many numbers as there are constraints.
ManifoldStatus Index1Manifold::residual(int, double t, ConstSpan state, Span out) {
  f_->f(state, t, value_);
  std::ranges::fill(out, 0.0);
  rows_.add_transposed_product(ConstSpan(value_), out);
  return ManifoldStatus::ok;
}

// P x' = P f: the part of x' that the equations state; Q x' is not stated and set to 0.
ManifoldStatus Index1Manifold::derivative(double t, ConstSpan state, Span out) {
  f_->f(state, t, value_);
  std::ranges::fill(out, 0.0);
  p_.add_product(ConstSpan(value_), out);
  return ManifoldStatus::ok;
}

ManifoldStatus Index1Manifold::linearise(double t, ConstSpan x) {
  f_->f_by_x(x, t, f_jacobian_);
  Matrix& s = s_.matrix();
  Scratch scratch;
  const MatrixView along{scratch.take<double>(n_ * m_).data(), n_, m_, n_};  // f_x on Im Q
  for (const auto& [j, l, value] : image_.entries())
    for (std::size_t i = 0; i < n_; ++i) along(i, l) += f_jacobian_(i, j) * value;
  s.view().fill(0.0);
  check_stop();
  for (std::size_t l = 0; l < m_; ++l) rows_.add_transposed_product(ConstSpan(along.column(l)), s.view().column(l));
  if (!std::isfinite(max_norm({s.data(), m_ * m_}))) return ManifoldStatus::not_finite;
  s_.factorise();
  return ManifoldStatus::ok;
}

// Newton on Q f(x) = 0 with P x held: the correction lies in Im Q = Ker P. A Jacobian costs many times what f does, so
// the last one is used again while corrections are small and shrink fast; a correction that does not is not made.
ManifoldStatus Index1Manifold::set_multipliers(double t, Span state) {
  constexpr double small = 1e-3, fast = 0.1;
  if (m_ == 0) return std::isfinite(max_norm(state)) ? ManifoldStatus::ok : ManifoldStatus::not_converged;
  Scratch scratch;
  const Span d = scratch.take<double>(m_);
  auto monitor = ConvergenceMonitor::to_rounding();
  double last = 0.0;
  for (bool anew = true;;) {
    if (anew)
      if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
    residual(1, t, state, d);
    s_.solve(d);
    const double moved = norm_of_change(d), size = 1.0 + norm_.of_part(0, state);
    if (!anew && !(moved <= fast * last)) {
      anew = true;
      continue;
    }
    for (double& x : d) x = -x;
    image_.add_product(ConstSpan(d), state);
    const auto verdict = monitor.see_relative(moved, size);
    if (verdict == Convergence::arrived) return arrived(t, state);
    if (verdict == Convergence::diverged) return ManifoldStatus::not_converged;
    // With the same matrix, corrections shrink like a geometric series.
    if (!anew && moved * (moved / last) <= 0.5 * std::numeric_limits<double>::epsilon() * size)
      return arrived(t, state);
    anew = !(moved <= small * size);
    last = moved;
  }
}

// Of a change of the state along the basis of Im Q.
double Index1Manifold::norm_of_change(ConstSpan along) const {
  if (norm_.is_plain()) return max_norm(along);
  Scratch scratch;
  const Span change = scratch.take<double>(n_);
  image_.add_product(along, change);
  return norm_.of_part(0, change);
}

ManifoldStatus Index1Manifold::arrived(double t, ConstSpan state) {
  return s_.regular() || !leaves_something(*this, {1}, t, state, norm_) ? ManifoldStatus::ok
                                                                        : ManifoldStatus::not_converged;
}

ManifoldStatus Index1Manifold::project(double t, Span state, bool positions, Span mu1, Span mu2_by_h) {
  std::fill(mu1.begin(), mu1.end(), 0.0);
  std::fill(mu2_by_h.begin(), mu2_by_h.end(), 0.0);
  return positions ? set_multipliers(t, state) : ManifoldStatus::ok;
}

// The algebraic part is an error that users see: nothing is removed.
ManifoldStatus Index1Manifold::remove_normal(double, ConstSpan, Span) { return ManifoldStatus::ok; }

ManifoldStatus Index1Manifold::decisive_matrix(double t, ConstSpan state, Matrix& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  out = s_.matrix();
  return ManifoldStatus::ok;
}

Manifold::Range Index1Manifold::determined_by(int) const { return {0, n_}; }

ManifoldStatus Index1Manifold::level_jacobian(int, double t, ConstSpan state, Matrix& out) {
  f_->f_by_x(state, t, f_jacobian_);
  out = Matrix(m_, n_);
  for (std::size_t j = 0; j < n_; ++j)
    rows_.add_transposed_product(ConstSpan(f_jacobian_.view().column(j)), out.view().column(j));
  return ManifoldStatus::ok;
}

ManifoldStatus Index1Manifold::regularity(double t, ConstSpan state, Regularity& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  regularity_nearby(out);
  return ManifoldStatus::ok;
}

// What an algebraic equation would have to be compared with depends on units: only with itself.
void Index1Manifold::regularity_nearby(Regularity& out) const {
  const Determinant determinant = s_.determinant();
  out = {.rank = determinant.sign != 0 ? m_ : 0,
         .sign = determinant.sign,
         .log_determinant = determinant.log,
         .log_scale = determinant.log};
}

}  // namespace driftless
