#include "driftless/integrate/fixed_steps.h"

#include <algorithm>
#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/step/collocation.h"
#include "driftless/tableau/properties.h"

namespace driftless {

FixedSteps::FixedSteps(const Equations& equations, const Stepper& stepper, const Method& method, const FixedGrid& grid,
                       double begin, ConstSpan state)
    : equations_(equations),
      stepper_(stepper),
      method_(method),
      grid_(grid),
      manifold_(make_manifold(equations)),
      workspace_(stepper.make_workspace()),
      attempt_(stepper.make_attempt()),
      next_(grid.next_after(begin)),
      t_(begin),
      state_(state.begin(), state.end()),
      base_(state_) {
  const Properties properties = properties_of(method.tableau);
  order_ = properties.order;
  collocation_ = !properties.explicit_method && properties.stage_order >= static_cast<int>(method.tableau.stages()) &&
                 method.tableau.c[0] != 0.0;
  if (collocation_) attempt_.increments = Matrix(state_.size(), method.tableau.stages());
}

std::optional<Failure> FixedSteps::step() {
  const bool on_grid = t_ == grid_.time(next_ - 1);
  const double h = on_grid ? grid_.step(next_ - 1) : grid_.time(next_) - t_;
  auto failure = stepper_.attempt(t_, state_, h, *workspace_, attempt_);
  statistics_.newton_iterations += static_cast<std::size_t>(attempt_.newton_iterations);
  statistics_ += attempt_.work;
  if (failure) return failure;
  std::swap(base_, state_);
  std::swap(state_, attempt_.state);
  ++statistics_.steps;
  last_h_ = h;
  t_ = grid_.time(next_);
  finished_ = next_++ == grid_.count();
  return std::nullopt;
}

DenseStep FixedSteps::dense() {
  const std::size_t multipliers = layout_of(equations_).size_of("lambda");
  DenseStep dense{.begin = t_ - last_h_,
                  .h = last_h_,
                  .valid_until = t_,
                  .stages = 1,
                  .multipliers = multipliers,
                  .multipliers_by_constraint = true,
                  .base = base_,
                  .increments = Vector(state_.size())};
  if (collocation_) {
    fill_by_stages(dense);
    return dense;
  }
  dense.order_by_slopes = std::clamp(order_, 3, 5);
  for (std::size_t i = 0; i < state_.size(); ++i) dense.increments[i] = state_[i] - base_[i];
  return dense;
}

// The polynomial through the beginning, the stages and the end, which is the last stage of a stiffly accurate method
// but for its projection; its values at the nodes of Radau IIA are the same polynomial. Multipliers are no part of it.
void FixedSteps::fill_by_stages(DenseStep& dense) const {
  const std::size_t n = state_.size(), moving = n - dense.multipliers;
  Vector nodes = method_.tableau.c;
  const bool ends_in_stage = std::abs(nodes.back() - 1.0) < 1e-14;
  if (!ends_in_stage) nodes.push_back(1.0);
  const std::size_t known = nodes.size();
  dense.stages = static_cast<int>(known % 2 == 1 ? known : known + 1);
  const Vector& c = radau_constants(dense.stages).c;
  dense.increments.assign(n * c.size(), 0.0);
  Scratch scratch;
  const Span weights = scratch.take<double>(known);
  for (std::size_t j = 0; j < c.size(); ++j) {
    const Span out = Span(dense.increments).subspan(j * n, n);
    collocation_weights(nodes, c[j], weights);
    for (std::size_t i = 0; i < moving; ++i) {
      for (std::size_t k = 0; k + 1 < known; ++k) out[i] += weights[k] * attempt_.increments(i, k);
      out[i] += weights[known - 1] * (state_[i] - base_[i]);
    }
    for (std::size_t i = moving; i < n; ++i) out[i] = c[j] * (state_[i] - base_[i]);
  }
}

std::string FixedSteps::checkpoint() const {
  throw Misuse("fixed steps have no memory: go on from the last time and state");
}

}  // namespace driftless
