#include "driftless/integrate/solve.h"

#include "driftless/integrate/runs.h"

namespace driftless {

Solution solve(const Equations& equations, ConstSpan start, const SolveOptions& options) {
  const bool fixed = options.steps || options.step_size;
  std::unique_ptr<Stepper> stepper;
  if (fixed) {
    require_fixed_grid(options);
    stepper = make_stepper(equations, options.method, options.newton);
  } else {
    require_adaptive(equations, options);
  }
  auto consistent = make_consistent(equations, options.span.begin, start, options.start);
  if (!consistent) {
    Solution nothing(equations, ConsistentStart{.state = Vector(layout_of(equations).size())});
    nothing.fail(consistent.failure());
    return nothing;
  }
  Solution solution(equations, *consistent);
  solution.append(options.span.begin, consistent->state);
  if (fixed)
    run_fixed_steps(solution, *stepper, options);
  else
    run_adaptive(solution, options);
  return solution;
}

}  // namespace driftless
