#include "testset/experiments.h"

#include <cmath>
#include <limits>

#include "driftless/equations/convert.h"

namespace driftless::testset {

Vector block_errors(const Equations& equations, double begin, const std::function<Vector(double)>& exact,
                    const Method& method, std::size_t n) {
  const double end = begin + 1.0;
  const Solution solution =
      solve(equations, exact(begin), {.span = {begin, end}, .steps = n, .method = method, .keep_every = n});
  solution.or_throw();
  const Vector wanted = exact(end);
  Vector errors;
  for (const Block& block : layout_of(equations).blocks()) {
    if (block.size == 0) continue;
    double error = 0.0;
    for (std::size_t i = block.begin; i < block.begin + block.size; ++i)
      error = std::fmax(error, std::abs(solution.state(solution.size() - 1)[i] - wanted[i]));
    errors.push_back(error);
  }
  return errors;
}

Rewriting compare_with_rewriting(const Problem& problem, const Tableau& tableau) {
  Equations original = problem.equations;
  Vector start = problem.start;
  if (const auto* mechanical = std::get_if<Mechanical>(&original)) {
    start = state_as_index3(*mechanical, problem.begin, start);
    original = as_index3(*mechanical);
  }
  const int index = index_of(original);
  const std::size_t steps = index == 3 ? 8 : 32;  // few, for the sake of the difference quotients
  const SolveOptions options{
      .span = {problem.begin, problem.begin + 1.0}, .steps = steps, .method = {.tableau = tableau}};
  const Solution a = solve(original, start, options);
  const Solution b = solve(autonomous(original), autonomous_state(original, problem.begin, start), options);
  a.or_throw();
  b.or_throw();
  double difference = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < layout_of(original).size(); ++k) {
      const double x = a.state(i)[k], y = b.value(layout_of(original).name(k), i);
      difference = std::fmax(difference, std::abs(x - y) / std::fmax(1.0, std::abs(x)));
    }
  const double last_place = 128.0 * std::numeric_limits<double>::epsilon();
  return {difference, last_place * std::pow(static_cast<double>(steps), index - 1)};
}

}  // namespace driftless::testset
