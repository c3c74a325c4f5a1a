#include "driftless/equations/manifold.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "driftless/core/scratch.h"
#include "driftless/equations/manifold_forms.h"
#include "driftless/equations/manifold_mechanical.h"
#include "driftless/equations/manifold_wide.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

ManifoldStatus Manifold::flow(double t, Span state, Span slope) {
  const auto status = set_multipliers(t, state);
  return status == ManifoldStatus::ok ? derivative(t, state, slope) : status;
}

ManifoldStatus Manifold::project_nearby(double t, Span state) {
  Scratch scratch;
  return project(t, state, true, scratch.take<double>(constraint_count()), scratch.take<double>(constraint_count()));
}

ManifoldStatus Manifold::settle(double t, Span state) {
  const auto status = Manifold::project_nearby(t, state);
  return status == ManifoldStatus::ok ? set_multipliers(t, state) : status;
}

ManifoldStatus Manifold::remove_normal_nearby(double t, ConstSpan state, Span change) {
  return remove_normal(t, state, change);
}

ManifoldStatus Manifold::level_effect(int level, double t, ConstSpan state, ConstSpan sizes, Span out) {
  Matrix jacobian;
  if (const auto status = level_jacobian(level, t, state, jacobian); status != ManifoldStatus::ok) return status;
  std::ranges::fill(out, 0.0);
  for (std::size_t j = 0; j < sizes.size(); ++j)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += std::abs(jacobian(i, j)) * sizes[j];
  return ManifoldStatus::ok;
}

ManifoldStatus Manifold::examine(double, ConstSpan, Examination&) {
  throw std::logic_error("the decisive matrix of this form is not sparse");
}

ManifoldStatus Manifold::level_values(int, double, ConstSpan, Pattern&, Vector&) {
  throw std::logic_error("the gradients of this form are not sparse");
}
ManifoldStatus Manifold::jump_step(int, double, ConstSpan, const std::vector<char>&, ConstSpan, Span) {
  throw std::logic_error("the directions of jumps of this form are not sparse");
}

bool leaves_something(Manifold& manifold, std::initializer_list<int> levels, double t, ConstSpan state,
                      const SizeNorm& norm) {
  Vector residual(manifold.constraint_count()), effect(residual.size()), sizes;
  for (const int level : levels) {
    const Manifold::Range range = manifold.determined_by(level);
    sizes.assign(range.size, 0.0);
    for (std::size_t j = 0; j < range.size; ++j)
      sizes[j] = 1e-3 * norm.usual(range.begin + j) + std::abs(state[range.begin + j]);
    if (manifold.residual(level, t, state, residual) != ManifoldStatus::ok) return true;
    if (manifold.level_effect(level, t, state, sizes, effect) != ManifoldStatus::ok) return true;
    for (std::size_t i = 0; i < residual.size(); ++i)
      if (!(std::abs(residual[i]) <= 1e-8 * (effect[i] + 1e-300))) return true;
  }
  return false;
}

std::unique_ptr<Manifold> make_manifold(const Equations& equations) {
  struct Visitor {
    std::unique_ptr<Manifold> operator()(const Index1& form) const { return std::make_unique<Index1Manifold>(form); }
    std::unique_ptr<Manifold> operator()(const Index2& form) const { return std::make_unique<Index2Manifold>(form); }
    std::unique_ptr<Manifold> operator()(const Index3& form) const { return std::make_unique<Index3Manifold>(form); }
    std::unique_ptr<Manifold> operator()(const Mechanical& form) const {
      return std::make_unique<MechanicalManifold>(form);
    }
    std::unique_ptr<Manifold> operator()(const WideMechanical& form) const {
      return std::make_unique<WideManifold>(form);
    }
  };
  return std::visit(Visitor{}, equations);
}

double ConstraintResiduals::largest(int k) const {
  return k >= 1 && static_cast<std::size_t>(k) <= level.size() ? max_norm(level[static_cast<std::size_t>(k - 1)]) : 0.0;
}

ConstraintResiduals constraint_residuals(const Equations& equations, double t, ConstSpan state) {
  const auto manifold = make_manifold(equations);
  ConstraintResiduals result;
  for (int k = 1; k <= manifold->levels(); ++k) {
    Vector out(manifold->constraint_count());
    const auto status = manifold->residual(k, t, state, out);
    if (status != ManifoldStatus::ok) throw FailedRun(explain(status, equations, t, state));
    result.level.push_back(std::move(out));
  }
  return result;
}

}  // namespace driftless
