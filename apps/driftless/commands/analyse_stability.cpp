// driftless analyse stability: logarithmic Lipschitz constants of a model of index 1, what they say about its
// stability, its index and its errors, on a box or along its solution.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/commands/stability_output.h"
#include "apps/driftless/commands/stability_request.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/report/article_file.h"
#include "apps/driftless/report/stability_article.h"
#include "driftless/core/phase.h"
#include "driftless/modelfile/compiled/time_searches.h"

namespace driftless::cli {

namespace {

// As the model has it, if that shows that the index is 1; else scaled by Newton's matrix.
StabilityReport report_of(const StabilityRequest& request, const Index1& form, const Box& box,
                          StabilityOptions options) {
  options.scaling = request.constraint == "scaled" ? ConstraintScaling::newton : ConstraintScaling::as_given;
  StabilityReport report = analyse_stability(form, box, options);
  if (request.constraint != "auto" || report.index_1 == Verdict::yes || report.singular) return report;
  options.scaling = ConstraintScaling::newton;
  StabilityReport other = analyse_stability(form, box, options);
  return other.index_1 == Verdict::yes ? other : report;
}

BoxFindings look_at_box(const StabilityRequest& request, const Model& model) {
  const Start start = model.start(model.begin);
  const Index1 form = index1_of(model, start.stretch.equations);
  const Interval time = request.time.empty() ? Interval(model.begin, std::max(model.begin, model.end))
                                             : interval_from("--time", request.time);
  BoxFindings findings{.report = {}, .unknowns = form.layout().names(), .differential = differential_names(form)};
  findings.norm_source = norm_source(request, findings.unknowns);
  StabilityOptions options{.norm = norm_from(request, findings.unknowns)};
  options.refinement.boxes = request.boxes.value_or(options.refinement.boxes);
  options.refinement.relative = request.accuracy.value_or(options.refinement.relative);
  findings.perturbation = request.perturbation();
  options.manifold_radius = findings.perturbation.constraint;
  const Box box = box_from(request, findings.unknowns, time);
  findings.report = report_of(request, form, box, options);
  if (!findings.perturbation.any()) return findings;
  if (findings.report.scaled && findings.perturbation.constraint > 0.0)
    throw Stop(
        ExitCode::usage,
        "--perturb-constraint needs the constraint as written, whose monotonicity does not show on this box\n  try:   "
        "a smaller box, or --along");
  Vector times;
  for (int k = 0; k <= 100; ++k) times.push_back(time.lower() + time.width() * k / 100.0);
  if (!request.report.empty() && (!findings.report.scaled || findings.perturbation.constraint == 0.0))
    findings.measured =
        measure_perturbation(form, start.stretch.start, options.norm, findings.perturbation, times, &box);
  findings.deviation = bound_deviation(findings.report.sharp, findings.perturbation, times);
  findings.lasting = lasting_bound(findings.report.sharp, findings.perturbation.start,
                                   findings.perturbation.differential, findings.perturbation.constraint);
  return findings;
}

void measure(const StabilityRequest& request, const Index1& form, const Solution& run, AlongFindings& findings) {
  const Norm norm = norm_from(request, form.layout().names());
  findings.measured_error = measure_error(run, form, norm);
  const PerturbationSizes& sizes = findings.perturbation;
  if (!sizes.any() || (findings.scaled && sizes.constraint > 0.0)) return;  // of a scaled one, sizes are other numbers
  Vector times;
  for (const DeviationBound& bound : findings.along.deviation) times.push_back(bound.time);
  if (times.size() > 1) findings.measured_deviation = measure_perturbation(form, run.state(0), norm, sizes, times);
}

AlongFindings look_along(const StabilityRequest& request, const Model& model) {
  const Start start = model.start(model.begin);
  const Index1 form = index1_of(model, start.stretch.equations);
  SolveOptions options{.span = {model.begin, request.t_end.value_or(model.end)}};
  options.tolerance.relative = request.rtol.value_or(model.tolerance.value_or(1e-6));
  options.tolerance.absolute = 1e-3 * options.tolerance.relative;
  options.events = start.stretch.events;
  if (start.stretch.end) options.span.end = std::min(options.span.end, *start.stretch.end);
  TimeSearches searches;
  const auto due = start.stretch.next_due ? start.stretch.next_due(options.span.end, searches) : std::nullopt;
  if (due) options.span.end = due->time;
  const Solution run = solve(form, start.stretch.start, options);
  AlongFindings findings;
  findings.norm_source = norm_source(request, form.layout().names());
  findings.scaled = request.constraint != "as-written";
  if (!run.ok()) findings.ended = run.failure().message();
  if (run.ended_by())
    findings.ended = fmt::format("at t = {:g} by the event {}: what follows is another solution",
                                 run.time(run.size() - 1), *run.ended_by());
  if (run.ok() && !run.ended_by() && due)
    findings.ended =
        fmt::format("at t = {:g} by the event {}: what follows is another solution", due->time, due->names.front());
  if (run.size() < 2) throw FailedRun(run.failure());
  findings.perturbation = request.perturbation();
  findings.along =
      analyse_along(run, {.norm = norm_from(request, form.layout().names()),
                          .radius = request.tube.value_or(1e-3),
                          .scaling = findings.scaled ? ConstraintScaling::newton : ConstraintScaling::as_given,
                          .perturbation = findings.perturbation});
  if (!request.report.empty()) measure(request, form, run, findings);
  return findings;
}

template <class Findings>
void write(const StabilityRequest& request, const Model& model, const Findings& findings, ArticleFile& page,
           std::optional<PendingFile>& csv) {
  if (request.json)
    answer(as_json(model, findings));
  else
    print(model, findings);
  if (page) page.write(stability_article(model, findings), request.json);
  if (!csv) return;
  csv->write(as_csv(findings));
  csv->commit();
}

ExitCode run(const StabilityRequest& request) {
  const Phase phase("analysis");
  if (request.along == !request.box.empty())
    throw Stop(ExitCode::usage, "say where: either --box NAME=LOW:HIGH or --along the solution");
  if (!request.csv.empty() && !request.along && !request.perturbation().any())
    throw Stop(ExitCode::usage, "--csv writes bounds over time: on a box, say what perturbs (--perturb-start, ...)");
  if (request.tube && !(*request.tube > 0.0)) throw Stop(ExitCode::usage, "--tube must be positive");
  const auto model = request.model.load();
  print_warnings(*model);
  ArticleFile page(request.report);
  std::optional<PendingFile> csv;
  if (!request.csv.empty()) csv.emplace(request.csv);
  if (request.along)
    write(request, *model, look_along(request, *model), page, csv);
  else
    write(request, *model, look_at_box(request, *model), page, csv);
  return ExitCode::ok;
}

}  // namespace

Command analyse_stability_command() {
  const auto request = std::make_shared<StabilityRequest>();
  return {
      .name = "analyse stability",
      .summary = "index 1: growth of deviations, error bounds",
      .details =
          "For models of index 1, P x' = f(x, t): how fast deviations grow or shrink, whether the constraint "
          "determines the algebraic unknowns, what perturbations can do, and how large the error of a run can be "
          "(Higueras and Soderlind 2003). Constants are proved by interval arithmetic where the formulas allow it; "
          "sampled values stand beside them and are labelled as such. docs/stability.md explains the numbers.",
      .examples =
          "driftless analyse stability rectifier.mo --along\n"
          "driftless analyse stability rectifier.mo --along --report rectifier.html   # bounds and errors, to look at\n"
          "driftless analyse stability rectifier.mo --box -2:2,i=0:1 --norm inf --json\n"
          "driftless analyse stability rectifier.mo --along --norm energy.csv        # sqrt(x^T G x), G in a file\n"
          "driftless analyse stability problem:lognorm_nonlinear --box -2.5:2.5 --perturb-differential 0.01 --csv "
          "bound.csv",
      .options = stability_options(*request),
      .run = [request] { return run(*request); }};
}

}  // namespace driftless::cli
