#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/memory.h"
#include "driftless/core/scratch.h"
#include "driftless/core/stop.h"
#include "driftless/equations/manifold_forms.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

Index1Manifold::Index1Manifold(const Index1& form)
    : f_(form.share()),
      parts_(form.share_parts()),
      n_(form.size()),
      m_(form.constraint_count()),
      value_(n_),
      norm_(form.layout()) {
  if (m_ > 0) pattern_ = form.pattern();
}

Index1Manifold::Linearisation& Index1Manifold::linear() {
  if (linearisation_) return *linearisation_;
  PatternProduct product(pattern_, parts_->q_rows, parts_->q_image);
  DecisiveSystem s(product.pattern());
  linearisation_ =
      std::make_unique<Linearisation>(Linearisation{std::move(product), std::move(s), Vector(pattern_.count())});
  if (norm_.is_plain()) return *linearisation_;
  // A coordinate along a basis vector is as large as the first component that it makes large.
  Vector sizes(m_, std::numeric_limits<double>::max());
  for (const auto& [j, l, value] : parts_->q_image.entries())
    sizes[l] = std::min(sizes[l], norm_.usual(j) / std::abs(value));
  linearisation_->s.set_sizes(sizes);
  return *linearisation_;
}

// Q f = 0 in an orthonormal basis of the rows of Q: as many numbers as there are constraints.
ManifoldStatus Index1Manifold::residual(int, double t, ConstSpan state, Span out) {
  f_->f(state, t, value_);
  std::ranges::fill(out, 0.0);
  parts_->q_rows.add_transposed_product(ConstSpan(value_), out);
  return ManifoldStatus::ok;
}

// P x' = P f: the part of x' that the equations state; Q x' is not stated and set to 0.
ManifoldStatus Index1Manifold::derivative(double t, ConstSpan state, Span out) {
  f_->f(state, t, value_);
  std::ranges::fill(out, 0.0);
  parts_->p.add_product(ConstSpan(value_), out);
  return ManifoldStatus::ok;
}

// x' = P f + w with w in Im Q and Q f_x w = -Q (f_t + f_x P f). Nothing that units do to the matrix touches P x'.
ManifoldStatus Index1Manifold::rates(double t, ConstSpan state, Span out) {
  if (m_ == 0) return derivative(t, state, out);
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  const auto& [product, s, f_values] = linear();
  if (!s.regular()) return ManifoldStatus::not_converged;
  derivative(t, state, out);
  Scratch scratch;
  const Span d = scratch.take<double>(m_);
  f_->f_by_t(state, t, value_);
  for (std::size_t j = 0, k = 0; j < n_; ++j)
    for (; k < pattern_.begin[j + 1]; ++k) value_[pattern_.row[k]] += f_values[k] * out[j];
  parts_->q_rows.add_transposed_product(ConstSpan(value_), d);
  s.solve(d);
  for (double& x : d) x = -x;
  parts_->q_image.add_product(ConstSpan(d), out);
  return ManifoldStatus::ok;
}

ManifoldStatus Index1Manifold::flow_of_all(double t, Span state, Span slope) {
  const auto status = flow(t, state, slope);
  return m_ > 0 && status == ManifoldStatus::ok ? rates(t, state, slope) : status;
}

ManifoldStatus Index1Manifold::linearise(double t, ConstSpan x) {
  if (m_ == 0) return ManifoldStatus::ok;
  auto& [product, s, f_values] = linear();
  f_->f_values(x, t, f_values);
  check_stop();
  product(f_values, s.values());
  if (!all_finite(s.values())) return ManifoldStatus::not_finite;
  s.factorise();
  return ManifoldStatus::ok;
}

// Newton on Q f(x) = 0 with P x held: the correction lies in Im Q = Ker P. A Jacobian costs many times what f does, so
// the last one is used again while corrections are small and shrink fast; a correction that does not is not made.
ManifoldStatus Index1Manifold::set_multipliers(double t, Span state) {
  constexpr double small = 1e-3, fast = 0.1;
  if (m_ == 0) return all_finite(state) ? ManifoldStatus::ok : ManifoldStatus::not_converged;
  Scratch scratch;
  const Span d = scratch.take<double>(m_);
  auto monitor = ConvergenceMonitor::to_rounding();
  double last = 0.0;
  for (bool anew = true;;) {
    if (anew)
      if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
    residual(1, t, state, d);
    linearisation_->s.solve(d);
    const double moved = norm_of_change(d), size = 1.0 + norm_.of_part(0, state);
    if (!anew && !(moved <= fast * last)) {
      anew = true;
      continue;
    }
    for (double& x : d) x = -x;
    parts_->q_image.add_product(ConstSpan(d), state);
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
  parts_->q_image.add_product(along, change);
  return norm_.of_part(0, change);
}

ManifoldStatus Index1Manifold::arrived(double t, ConstSpan state) {
  return linear().s.regular() || !leaves_something(*this, {1}, t, state, norm_) ? ManifoldStatus::ok
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
  if (m_ == 0)
    out = Matrix();
  else
    linear().s.copy_to(out);
  return ManifoldStatus::ok;
}

Manifold::Range Index1Manifold::determined_by(int) const { return {0, n_}; }

ManifoldStatus Index1Manifold::level_jacobian(int, double t, ConstSpan state, Matrix& out) {
  require_memory(8.0 * static_cast<double>(n_) * static_cast<double>(m_), "the derivatives of all constraints");
  out = Matrix(m_, n_);
  if (m_ == 0) return ManifoldStatus::ok;
  const Vector values = gradients(t, state);
  const Pattern& pattern = gradients_.pattern();
  for (std::size_t j = 0, k = 0; j < n_; ++j)
    for (; k < pattern.begin[j + 1]; ++k) out(pattern.row[k], j) = values[k];
  return ManifoldStatus::ok;
}

// rows^T f_x on its pattern.
Vector Index1Manifold::gradients(double t, ConstSpan state) {
  if (gradients_.pattern().cols == 0)
    gradients_ = PatternProduct(pattern_, parts_->q_rows, ConstantMatrix::identity(n_));
  Vector all(pattern_.count()), values(gradients_.pattern().count());
  f_->f_values(state, t, all);
  gradients_(all, values);
  return values;
}

ManifoldStatus Index1Manifold::level_effect(int, double t, ConstSpan state, ConstSpan sizes, Span out) {
  std::ranges::fill(out, 0.0);
  if (m_ == 0) return ManifoldStatus::ok;
  const Vector values = gradients(t, state);
  const Pattern& pattern = gradients_.pattern();
  for (std::size_t j = 0, k = 0; j < n_; ++j)
    for (; k < pattern.begin[j + 1]; ++k) out[pattern.row[k]] += std::abs(values[k]) * sizes[j];
  return ManifoldStatus::ok;
}

ManifoldStatus Index1Manifold::examine(double t, ConstSpan state, Examination& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  const DecisiveSystem& s = linear().s;
  out = {.regular = s.regular(),
         .rank = s.regular() ? m_ : m_ - 1,
         .undetermined = s.undetermined(),
         .pivot_ratio = s.pivot_ratio()};
  return ManifoldStatus::ok;
}

ManifoldStatus Index1Manifold::regularity(double t, ConstSpan state, Regularity& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  regularity_nearby(out);
  return ManifoldStatus::ok;
}

// What an algebraic equation would have to be compared with depends on units: only with itself.
void Index1Manifold::regularity_nearby(Regularity& out) const {
  Determinant determinant = linearisation_ ? linearisation_->s.determinant() : Determinant{};
  if (m_ == 0) determinant = {.sign = 1, .log = 0.0};
  out = {.rank = determinant.sign != 0 ? m_ : 0,
         .sign = determinant.sign,
         .log_determinant = determinant.log,
         .log_scale = determinant.log};
}

bool Index1Manifold::decisive_nearby(Matrix& out) const {
  if (!linearisation_ || linearisation_->s.is_sparse()) return false;
  linearisation_->s.copy_to(out);
  return true;
}

}  // namespace driftless
