#include "apps/driftless/model/run.h"

#include <fmt/format.h>

#include "apps/driftless/commands/carried_bound.h"
#include "apps/driftless/output/progress.h"
#include "apps/driftless/program/limits.h"
#include "apps/driftless/program/watch.h"
#include "driftless/core/memory.h"
#include "driftless/linalg/analysis_scope.h"

namespace driftless::cli {

namespace {

void require_possible(const Model& model, const Plan& plan, const Stretch& start) {
  const bool fixed = plan.options.steps || plan.options.step_size;
  if (fixed) require_method(plan.options.method, start.equations);
  if (plan.error_bound) require_bound_is_possible(model, plan, start.equations);
  if (plan.verify == Plan::Verify::told && !start.equations_hold)
    throw Stop(ExitCode::usage,
               "--verify puts results into the equations of a model file; a reference problem has none");
}

// In the words of the command line.
void tell(Run& run) {
  if (!run.failure) return;
  run.code = exit_code_of(run.failure->kind);
  if (run.failure->kind == FailureKind::stopped) {
    run.code = stop_code();
    run.failure->what_happened = stop_reason();
  }
  if (run.failure->kind == FailureKind::limit_reached) {
    run.failure->what_happened += ", " + bytes_text(static_cast<double>(limits().memory));
    run.failure->what_to_try = "--grid N instead of --every-step, or --max-memory SIZE";
  }
}

}  // namespace

Run run_model(const Model& model, const Plan& plan) {
  const AnalysisScope analyses;  // of the start serve the run
  Start start = model.start(plan.options.span.begin);
  require_possible(model, plan, start.stretch);
  Progress progress(plan.options.span);
  SimulateOptions options{.solve = plan.options,
                          .verify = plan.verify != Plan::Verify::no,
                          .show_verified = plan.verify == Plan::Verify::told,
                          // Tables grow by doubling, so that less than half of the memory may be in rows.
                          .most_bytes = 0.4 * static_cast<double>(limits().memory)};
  options.solve.observer = [&](double t, ConstSpan) { progress.see(t); };
  if (plan.error_bound) options.solve.error_bound = carried_bound();
  Run run{simulate(model, std::move(start), options)};
  tell(run);
  return run;
}

}  // namespace driftless::cli
