#include "driftless/analysis/stability/contraction.h"

#include <algorithm>

namespace driftless {

Contraction measure_contraction(const Equations& equations, ConstSpan one, ConstSpan two,
                                const std::function<double(ConstSpan)>& norm, const ContractionOptions& options) {
  const auto stepper = make_stepper(equations, options.method, options.newton);
  const auto workspace = stepper->make_workspace();
  Attempt attempt = stepper->make_attempt();
  Vector states[2] = {Vector(one.begin(), one.end()), Vector(two.begin(), two.end())}, difference(one.size());
  const auto distance = [&] {
    std::ranges::transform(states[0], states[1], difference.begin(), std::minus());
    return norm(difference);
  };
  Contraction result{.times = {options.begin}, .distance = {distance()}};
  for (std::size_t n = 0; n < options.steps; ++n) {
    const double t = options.begin + static_cast<double>(n) * options.h;
    for (Vector& state : states) {
      if (const auto failure = stepper->attempt(t, state, options.h, *workspace, attempt)) throw FailedRun(*failure);
      std::swap(state, attempt.state);
      result.work += attempt.work;
      result.newton_iterations += static_cast<std::size_t>(attempt.newton_iterations);
    }
    const double before = result.distance.back();
    result.times.push_back(t + options.h);
    result.distance.push_back(distance());
    if (before > 0.0) result.largest_quotient = std::max(result.largest_quotient, result.distance.back() / before);
  }
  result.contractive = result.largest_quotient <= 1.0;
  return result;
}

}  // namespace driftless
