#include "apps/driftless/run.h"

#include <csignal>

#include "apps/driftless/carried_bound.h"
#include "apps/driftless/interrupt.h"
#include "apps/driftless/progress.h"

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

ExitCode code_of(const Simulation& simulation) {
  if (!simulation.failure) return ExitCode::ok;
  if (simulation.failure->kind == FailureKind::stopped && Interrupt::signal() == SIGTERM) return ExitCode::terminated;
  return exit_code_of(simulation.failure->kind);
}

}  // namespace

Run run_model(const Model& model, const Plan& plan, When when) {
  const Interrupt interrupt;
  Start start = model.start(plan.options.span.begin);
  require_possible(model, plan, start.stretch);
  Progress progress(plan.options.span, when);
  std::stop_source stop;
  SimulateOptions options{.solve = plan.options,
                          .verify = plan.verify != Plan::Verify::no,
                          .show_verified = plan.verify == Plan::Verify::told};
  options.solve.stop = stop.get_token();
  options.solve.observer = [&](double t, ConstSpan) {
    progress.see(t);
    if (Interrupt::signal() != 0) stop.request_stop();
  };
  if (plan.error_bound) options.solve.error_bound = carried_bound();
  Run run{simulate(model, std::move(start), options)};
  run.code = code_of(run);
  return run;
}

}  // namespace driftless::cli
