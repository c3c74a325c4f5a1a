#include "apps/driftless/reproduce/figures.h"

#include <fmt/format.h>

#include "driftless/equations/manifold.h"

namespace reproduce {

using namespace driftless;

namespace {

// d_3 is the second derivative of the constraint along the solution. For the pendulum that is 2 |v|^2 - 2 u_2 - 4
// lambda |u|^2; the paper's formula has 2 lambda there, which does not vanish on the solution.
std::vector<double> deviations(const Experiment& experiment, const ConstraintResiduals& residuals) {
  if (&experiment == &pendulum()) return {residuals.level[0][0], residuals.level[1][0], residuals.level[2][0]};
  return {residuals.largest(1), residuals.largest(2)};
}

}  // namespace

Trace compute_trace(const Experiment& experiment, bool projected) {
  const Equations equations = testset::problem(experiment.problem).equations;
  const Layout& layout = layout_of(equations);
  const std::size_t positions = layout.blocks().front().size, levels = &experiment == &pendulum() ? 3 : 2;
  Trace result{.experiment = experiment, .projected = projected, .error = 0.0, .columns = {{"t", {}}}};
  for (std::size_t i = 0; i < positions; ++i) result.columns.push_back({layout.name(i), {}});
  for (std::size_t k = 1; k <= levels; ++k) result.columns.push_back({fmt::format("d{}", k), {}});
  const auto observe = [&](double t, ConstSpan state) {
    auto column = result.columns.begin();
    column++->values.push_back(t);
    for (std::size_t i = 0; i < positions; ++i) column++->values.push_back(state[i]);
    for (double d : deviations(experiment, constraint_residuals(equations, t, state))) column++->values.push_back(d);
  };
  result.error = run(experiment, classic_options(experiment, projected), figure_tolerance, observe).error;
  return result;
}

}  // namespace reproduce
