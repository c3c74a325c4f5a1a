#include "driftless/integrate/solve.h"

#include "driftless/core/phase.h"
#include "driftless/core/stop.h"
#include "driftless/integrate/run.h"
#include "driftless/linalg/analysis_scope.h"

namespace driftless {

namespace {

void require_bound_is_possible(const Equations& equations, const SolveOptions& options) {
  if (!std::holds_alternative<Index1>(equations))
    throw Misuse("a run can carry an error bound if its problem is of index 1");
  if (options.keep_every != 1 || !options.output_times.empty())
    throw Misuse(
        "a run that carries its error bound must keep all of its steps: leave out keep_every and output_times");
}

}  // namespace

const char* name_of(ErrorBound::Residual residual) {
  return residual == ErrorBound::Residual::constraint ? "constraint" : "differential";
}

Failure stopped(double t) {
  return {.kind = FailureKind::stopped,
          .time = t,
          .what_happened = "the caller asked to stop",
          .what_to_try = "",
          .where = ""};
}

namespace {

Result<ConsistentStart> start_of(const Equations& equations, ConstSpan start, const SolveOptions& options) {
  const Phase phase("start");
  try {
    check_stop();
    return make_consistent(equations, options.span.begin, start, options.start);
  } catch (const Stopped&) {
    return stopped(options.span.begin);
  }
}

}  // namespace

Solution solve(const Equations& equations, ConstSpan start, const SolveOptions& options) {
  const StopScope scope(options.stop);
  const AnalysisScope analyses;
  if (options.error_bound) require_bound_is_possible(equations, options);
  require_options(equations, options);
  std::unique_ptr<Stepper> stepper;
  if (has_fixed_steps(options)) stepper = make_stepper(equations, options.method, options.newton);
  auto consistent = start_of(equations, start, options);
  if (!consistent) {
    SolutionRecorder nothing(equations, ConsistentStart{.state = Vector(layout_of(equations).size())});
    nothing.fail(consistent.failure());
    return std::move(nothing).finish();
  }
  SolutionRecorder solution(equations, *consistent);
  solution.append(options.span.begin, consistent->state);
  const Phase phase("steps");
  try {
    run(solution, stepper.get(), options);
    if (options.error_bound) solution.carry(options.error_bound(solution));
  } catch (const Stopped&) {  // while the steps were prepared, or bounded after them
    if (solution.ok()) solution.fail(stopped(solution.time(solution.size() - 1)));
  }
  return std::move(solution).finish();
}

}  // namespace driftless
