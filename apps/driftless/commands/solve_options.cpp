#include "apps/driftless/commands/solve_options.h"

namespace driftless::cli {

std::vector<Option> run_options(SolveRequest& request) {
  const std::string group = "The run";
  return {option("--t-begin T", &request.t_begin, "start of the run (default: the model's StartTime, or 0)", group),
          option("--t-end T", &request.t_end, "end of the run (default: the model's StopTime, or 1)", group)};
}

std::vector<Option> accuracy_options(SolveRequest& request) {
  const std::string group = "Accuracy and method";
  return {
      {.name = "--method",
       .target = &request.method,
       .value = "NAME",
       .text = "auto, radau, radau5, radau9, radau13, dop853, dopri5, hem5; or, with fixed steps, a tableau such as "
               "gauss-2, hem5, radau-iia-3 (`driftless methods`), or FILE.json with one of your own",
       .group = group,
       .words = method_names,
       .file_endings = {".json"}},
      option("--rtol TOL", &request.rtol, "relative tolerance (default: the model's Tolerance, or 1e-6)", group),
      option("--atol TOL", &request.atol,
             "absolute tolerance, in units of nominal (default: a thousandth of the relative one)", group),
      option("--verify", &request.verify,
             "put every row of the results back into every equation of the model as written, and say how well they "
             "hold",
             group),
      option("--steps N", &request.steps, "N fixed steps", group),
      option("--step-size H", &request.step_size, "fixed steps of this size; the last one is shortened to meet the end",
             group),
      option("--first-step H", &request.first_step, "size of the first adaptive step", group),
      option("--largest-step H", &request.largest_step, "no adaptive step is larger", group),
      option("--step-limit N", &request.step_limit, "give up after so many attempts (default: ten million)", group),
      option(
          "--event-limit N", &request.event_limit,
          "give up where so many events come within a ten millionth of the run, or change a relation that stays at its "
          "root (default: 1000)",
          group),
      {.name = "--error-bound",
       .target = &request.error_bound,
       .text =
           "index 1: a bound of the error beside the solution, by logarithmic norms, up to the first event; may take "
           "much longer than the run (docs/stability.md)",
       .group = group}};
}

std::vector<Option> constraint_options(SolveRequest& request) {
  const std::string group = "Constraints";
  return {{.name = "--project",
           .target = &request.project,
           .value = "WORD",
           .text = "on (default): back to the constraints after every step; off: the classical method, which drifts; "
                   "full: positions and velocities; hidden: velocities only",
           .group = group,
           .choices = {"on", "off", "full", "hidden", "none"}},
          {.name = "--level",
           .target = &request.level,
           .value = "WORD",
           .text = "where the constraint of a mechanism enters the stages of Radau: acceleration (default), velocity, "
                   "position, position-with-accelerations, ggl",
           .group = group,
           .choices = {"acceleration", "velocity", "position", "position-with-accelerations", "ggl"}},
          {.name = "--multiplier",
           .target = &request.multiplier,
           .value = "WORD",
           .text = "where multipliers come from: stages (of the method), or hidden (the hidden constraint)",
           .group = group,
           .choices = {"stages", "hidden"}},
          option("--despite-conditions", &request.despite_conditions,
                 "use a tableau although the theory excludes it for this index", group)};
}

}  // namespace driftless::cli
