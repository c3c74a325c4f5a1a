#include "driftless/analysis/geometric/embedded_run.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "driftless/analysis/geometric/fit.h"
#include "driftless/core/require.h"
#include "driftless/nonlinear/convergence.h"
#include "driftless/step/stepper.h"

namespace driftless {

namespace {

Failure unstable(const Embedding& embedding, double t, ConstSpan state, double norm, double eta) {
  std::string point;
  for (std::size_t i = 0; i < embedding.original().u_size(); ++i)
    point += fmt::format("{}{} = {:.6g}", i > 0 ? ", " : "", embedding.original().layout().name(i), state[i]);
  return {.kind = FailureKind::assumption_violated,
          .time = t,
          .what_happened = fmt::format("B is not stable: the logarithmic norm of -B is {:.6g}, not below {:.6g}", norm,
                                       eta == 0.0 ? 0.0 : -eta),
          .what_to_try = "choose B so that u^T B u >= eta |u|^2 with eta > 0 everywhere, for instance B = I",
          .where = point};
}

double residual_of(const Embedding& embedding, double t, ConstSpan state) {
  const Index2& original = embedding.original();
  Vector g(original.lambda_size());
  original.functions().g(state.subspan(0, original.u_size()), t, g);
  double sum = 0.0;
  for (double x : g) sum += x * x;
  return std::sqrt(sum);
}

// What rounding leaves of g where it should be 0.
double residual_rounding(ConstSpan u) {
  const double size = 1.0 + max_norm(u);
  return 1e3 * std::numeric_limits<double>::epsilon() * size * size;
}

}  // namespace

Result<EmbeddedRun> run_embedded(const Embedding& embedding, double t0, ConstSpan u,
                                 const EmbeddedRunOptions& options) {
  const auto stepper = make_stepper(embedding.equations(), options.method);
  require_positive("the step size", options.step_size);
  require_finite("least_decay", options.least_decay);
  require_positive("bound", options.bound);
  auto start = embedding.state(t0, u);
  if (!start) return start.failure();
  Vector state = std::move(*start);
  const auto workspace = stepper->make_workspace();
  Attempt attempt = stepper->make_attempt();
  EmbeddedRun run{.worst_logarithmic_norm = -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0;; ++i) {
    const double t = t0 + static_cast<double>(i) * options.step_size;
    const double norm = embedding.logarithmic_norm(t, state);
    if (!(norm < 0.0) || !(norm <= -options.least_decay))
      return unstable(embedding, t, state, norm, options.least_decay);
    run.worst_logarithmic_norm = std::fmax(run.worst_logarithmic_norm, norm);
    run.times.push_back(t);
    run.residuals.push_back(residual_of(embedding, t, state));
    if (i == options.steps) break;
    if (options.execution.stop.stop_requested()) return stopped_analysis("the run of the embedding");
    if (auto failure = stepper->attempt(t, state, options.step_size, *workspace, attempt)) return *failure;
    std::swap(state, attempt.state);
    const double size = max_norm(ConstSpan(state).subspan(0, embedding.original().u_size()));
    if (!(size <= options.bound))
      return Failure{.kind = FailureKind::diverged,
                     .time = t + options.step_size,
                     .what_happened = fmt::format("|u| = {:.3g} is beyond the bound of {:.3g}", size, options.bound),
                     .what_to_try = "begin nearer to the constraint, or take smaller steps",
                     .where = "the run of the embedding"};
    if (options.execution.progress) options.execution.progress({"steps", i + 1, options.steps});
  }
  run.measured_decay = -std::log(fit_rate(run.residuals, residual_rounding(state))) / options.step_size;
  run.final_state = std::move(state);
  return run;
}

}  // namespace driftless
