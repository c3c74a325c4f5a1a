// Measures orders of convergence against exact solutions with fixed steps.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "driftless/driftless.h"
#include "testset/experiments.h"

namespace driftless::order {

// A problem with a closed-form solution, integrated from `begin` over one unit of time.
struct ExactProblem {
  std::string name;
  Equations equations;
  double begin = 0.0;
  std::function<Vector(double)> exact;
};

inline ExactProblem exact_problem(const std::string& name) {
  testset::Problem p = testset::problem(name);
  return {name, p.equations, p.begin, p.exact};
}

// Below this a difference of errors is rounding: a multiplier of index k is a (k - 1)-st difference quotient.
inline double rounding_floor(const ExactProblem& problem, const Method& method, std::size_t block, std::size_t blocks,
                             std::size_t n) {
  const bool from_stages = method.multiplier == MultiplierRule::stages;
  const int index = index_of(problem.equations);
  if (index >= 2 && block + 1 == blocks && from_stages) return 1e-14 * std::pow(static_cast<double>(n), index - 1);
  double size = 1.0;
  for (double x : problem.exact(problem.begin + 1.0)) size = std::fmax(size, std::abs(x));
  return 2e-13 * size;
}

// For each block the order seen between the two finest of the step numbers first, 2 first, 4 first, ... whose errors
// are above rounding.
inline Vector observed_orders(const ExactProblem& problem, const Method& method, std::size_t first, int doublings) {
  std::vector<Vector> errors;
  std::vector<std::size_t> counts;
  for (int k = 0; k <= doublings; ++k) {
    counts.push_back(first << k);
    errors.push_back(testset::block_errors(problem.equations, problem.begin, problem.exact, method, counts.back()));
  }
  Vector orders(errors.front().size(), std::nan(""));
  for (std::size_t block = 0; block < orders.size(); ++block)
    for (std::size_t k = 1; k < errors.size(); ++k) {
      if (errors[k][block] <= rounding_floor(problem, method, block, orders.size(), counts[k])) break;
      orders[block] = std::log2(errors[k - 1][block] / errors[k][block]);
    }
  return orders;
}

}  // namespace driftless::order
