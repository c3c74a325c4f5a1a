#include "apps/driftless/reproduce/orders.h"

#include "testset/experiments.h"

namespace reproduce {

using namespace driftless;

Curve falling(const std::string& label, const Vector& steps, const Vector& values) {
  return {label, Vector(steps.rbegin(), steps.rend()), Vector(values.rbegin(), values.rend())};
}

double Convergence::order(std::size_t block) const {
  double seen = std::nan("");
  for (std::size_t k = 1; k < steps.size(); ++k) {
    const double floor = block == 2 ? 1e-14 / (steps[k] * steps[k]) : 5e-13;
    if (errors[block][k] > floor) seen = std::log2(errors[block][k - 1] / errors[block][k]);
  }
  return seen;
}

Convergence converge(const testset::Problem& problem, const Method& method, std::size_t first, int doublings) {
  Convergence result{.errors = std::vector<Vector>(3)};
  for (int k = 0; k <= doublings; ++k) {
    const std::size_t n = first << k;
    const Vector errors = testset::block_errors(problem.equations, problem.begin, problem.exact, method, n);
    result.steps.push_back(1.0 / static_cast<double>(n));
    for (std::size_t block = 0; block < 3; ++block) result.errors[block].push_back(errors[block]);
  }
  return result;
}

}  // namespace reproduce
