// driftless analyse attractor: what a model settles on, and how methods move it.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/driftless/commands/analysis_watch.h"
#include "apps/driftless/commands/attractor_report.h"
#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/output_file.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/report/article_file.h"
#include "apps/driftless/report/attractor_article.h"
#include "driftless/analysis/geometric/orbit_study.h"
#include "driftless/step/stepper.h"

namespace driftless::cli {

namespace {

struct AttractorRequest : AnalysisRequest {
  std::string method = "radau-iia-2", step_sizes = "0.1,0.05,0.025", box = "0.1", section, direction = "any";
  std::optional<std::size_t> starts, seed, samples;
  std::optional<double> transient, interval, share, bound, longest_time, longest_period, lyapunov_time, rtol;
  bool multipliers = false, underlying_ode = false, leave_out_lost = false, kind = true, distances = true;
  std::string output;
};

Direction direction_from(const std::string& word) {
  if (word == "rising") return Direction::rising;
  return word == "falling" ? Direction::falling : Direction::any;
}

CloudOptions cloud_of(const AttractorRequest& request, const Index2Start& start) {
  const ConstSpan u = point_of(start.equations, start.state);
  CloudOptions cloud{.center = Vector(u.begin(), u.end()),
                     .half_widths = numbers_from("--box", request.box),
                     .count = request.starts.value_or(32),
                     .leave_out_inconsistent = request.leave_out_lost};
  cloud.seed = request.seed.value_or(cloud.seed);
  return cloud;
}

SamplingOptions sampling_of(const AttractorRequest& request, const Index2Start& start) {
  SamplingOptions sampling{.transient = request.transient.value_or(50.0),
                           .samples = request.samples.value_or(200),
                           .interval = request.interval.value_or(0.05),
                           .multipliers = request.multipliers,
                           .bound = request.bound.value_or(1e6),
                           .longest_time = request.longest_time.value_or(0.0),
                           .leave_out_lost = request.leave_out_lost};
  if (request.rtol) sampling.tolerance = {.relative = *request.rtol, .absolute = 0.01 * *request.rtol};
  if (request.section.empty()) return sampling;
  const Setting at = setting_from(request.section);
  sampling.section = section_at(start.equations, at.name, number_from(at), direction_from(request.direction));
  return sampling;
}

RecognitionOptions recognition_of(const AttractorRequest& request) {
  RecognitionOptions options{.transient = request.transient.value_or(50.0),
                             .longest_period = request.longest_period.value_or(100.0),
                             .bound = request.bound.value_or(1e6)};
  if (request.rtol) options.flow.tolerance = {.relative = *request.rtol, .absolute = 0.1 * *request.rtol};
  if (request.lyapunov_time) options.lyapunov.time = *request.lyapunov_time;
  return options;
}

// The method as it is applied: without its constraint there is no multiplier to take from the stages.
Method method_of(const AttractorRequest& request) {
  Method method{.tableau = tableau_from(request.method)};
  if (request.underlying_ode) method.multiplier = MultiplierRule::hidden_constraint;
  return method;
}

bool shows_a_rate(const AttractorStudy& study) { return study.rate.used >= 2; }

// A few runs are enough where an orbit is one point. Nothing if there is no such set, which the plain study says, too.
std::optional<AttractorStudy> study_across(const Index2Start& start, const PeriodicOrbit& orbit,
                                           AttractorStudyOptions options, AnalysisWatch& watch) {
  options.cloud.count = std::min<std::size_t>(options.cloud.count, 8);
  options.sampling.execution = watch.execution("across the orbit");
  auto study = study_across_orbit(start.equations, orbit, std::move(options));
  if (!study && study.failure().kind != FailureKind::stopped) return std::nullopt;
  return watch.value_of(std::move(study));
}

AttractorFindings analyse(const AttractorRequest& request, const Index2Start& start, AnalysisWatch& watch) {
  const Vector step_sizes = step_sizes_from(request.step_sizes);
  AttractorFindings findings{
      .method = request.method, .underlying_ode = request.underlying_ode, .smallest_step = step_sizes.back()};
  AttractorStudyOptions study{.method = method_of(request),
                              .step_sizes = step_sizes,
                              .cloud = cloud_of(request, start),
                              .sampling = sampling_of(request, start),
                              .share = request.share.value_or(1.0),
                              .keep_points = !request.output.empty() || !request.report.empty()};
  study.sampling.execution = watch.execution();
  if (request.underlying_ode)
    study.discretised = underlying_ode(start.equations, ConstSpan(start.state).subspan(start.equations.u_size()));
  make_stepper(study.discretised.value_or(start.equations), study.method);  // refused before any work
  if (request.kind) {
    RecognitionOptions options = recognition_of(request);
    options.execution = watch.execution("attractor");
    findings.of_dae = watch.value_of(recognise_attractor(start.equations, start.state, options));
    const AttractorKind kind = findings.of_dae->kind;
    if (!request.underlying_ode && (kind == AttractorKind::equilibrium || kind == AttractorKind::periodic)) {
      options.flow.discretisation = Discretisation{study.method, step_sizes.back()};
      options.execution = watch.execution("attractor of the method");
      findings.of_method = watch.value_of(recognise_attractor(start.equations, start.state, options));
    }
  }
  if (!request.distances) return findings;
  findings.study = watch.value_of(study_attractor(start.equations, study));
  const bool periodic = findings.of_dae && findings.of_dae->kind == AttractorKind::periodic;
  if (periodic && !shows_a_rate(*findings.study) && !study.sampling.section && !request.multipliers)
    findings.across = study_across(start, *findings.of_dae->periodic, study, watch);
  return findings;
}

Json metadata(const Model& model, const AttractorRequest& request) {
  return {{"program", "driftless"}, {"version", DRIFTLESS_VERSION}, {"model", model.name},
          {"source", model.source}, {"method", request.method},     {"underlying_ode", request.underlying_ode}};
}

ExitCode run(const AttractorRequest& request) {
  if (!request.distances && !request.output.empty())
    throw Stop(ExitCode::usage, "--output has the points of which --no-distances wants none");
  if (!request.kind && !request.distances)
    throw Stop(ExitCode::usage, "--no-kind and --no-distances together leave nothing to do");
  const auto model = request.model.load();
  print_warnings(*model);
  const Index2Start start = index2_start(*model);
  const auto file = request.output.empty() ? nullptr : open_output(request.output, true);
  ArticleFile page(request.report);
  AnalysisWatch watch(request);
  const AttractorFindings findings = analyse(request, start, watch);
  if (file) file->write(attractor_points(start, *findings.study), metadata(*model, request), nullptr);
  if (request.json)
    answer(attractor_json(*model, start, findings));
  else
    say("{}", attractor_text(*model, start, findings));
  if (page) page.write(attractor_article(*model, start, findings), request.json);
  return ExitCode::ok;
}

std::vector<Option> method_options(AttractorRequest& request) {
  const std::string group = "The method";
  return {tableau_option("--method NAME", &request.method, "a tableau (default: radau-iia-2)", group),
          option("--step-sizes LIST", &request.step_sizes, "separated by commas (default: 0.1,0.05,0.025)", group),
          option("--underlying-ode", &request.underlying_ode,
                 "apply it without the constraint, to the ODE that index reduction by hand would leave: to see what "
                 "is lost",
                 group)};
}

std::vector<Option> cloud_options(AttractorRequest& request) {
  const std::string group = "Starts and samples";
  return {
      option("--starts N", &request.starts, "runs (default: 32)", group),
      option("--box LIST", &request.box,
             "half widths of the box of starts around the model's own, one for all or one for each component "
             "(default: 0.1)",
             group),
      option("--seed N", &request.seed, "other starts", group),
      option("--transient T", &request.transient, "time that is thrown away (default: 50)", group),
      option("--samples N", &request.samples, "points of every run (default: 200)", group),
      option("--interval DT", &request.interval, "time between them (default: 0.05)", group),
      option("--section NAME=VALUE", &request.section, "take the points where a component has this value instead",
             group),
      {.name = "--direction",
       .target = &request.direction,
       .value = "WORD",
       .text = "of the crossings: any (default), rising, falling",
       .group = group,
       .choices = {"any", "rising", "falling"}},
      option("--multipliers", &request.multipliers, "points (u, lambda) instead of u", group),
      option("--share S", &request.share,
             "distances that this share of the points does not exceed, such as 0.98 (default: 1, all of them)", group)};
}

std::vector<Option> limit_options(AttractorRequest& request) {
  const std::string group = "Limits";
  return {option("--rtol TOL", &request.rtol, "of the reference runs (default: 1e-10, and 1e-12 for orbits)", group),
          option("--bound R", &request.bound, "a run beyond |u| = R has run away (default: 1e6)", group),
          option("--longest-time T", &request.longest_time,
                 "of one run (default: enough for all samples; 1000 and 20 per sample with a section)", group),
          option("--longest-period T", &request.longest_period, "that is looked for (default: 100)", group),
          option("--lyapunov-time T", &request.lyapunov_time,
                 "that Lyapunov exponents are averaged over (default: 500)", group),
          option("--leave-out-lost", &request.leave_out_lost,
                 "go on without starts off the domain of the constraint and runs that fail or run away", group),
          {.name = "--no-kind",
           .target = &request.kind,
           .text = "do not look for equilibria, periodic orbits and Lyapunov exponents",
           .group = "Output",
           .flag_value = false},
          {.name = "--no-distances",
           .target = &request.distances,
           .text = "only those, and no distances",
           .group = "Output",
           .flag_value = false},
          {.name = "--output",
           .target = &request.output,
           .value = "FILE",
           .text = "all points, for pictures: .csv or .h5",
           .group = "Output",
           .letter = 'o',
           .file_endings = {".csv", ".h5"}}};
}

}  // namespace

Command analyse_attractor_command() {
  const auto request = std::make_shared<AttractorRequest>();
  return {
      .name = "analyse attractor",
      .summary = "what a model settles on, and how methods move it",
      .details =
          "Runs from a cloud of starts, discards the transient, and says what is left: a stable "
          "equilibrium or periodic orbit with its multipliers on the constraint, or a set with its Lyapunov "
          "exponents. Then the Hausdorff distance between this set and that of a method with fixed steps, "
          "and the rate at which it falls with the step size (docs/geometric.md).\n"
          "The model has index 2, or is a mechanism, and its equations do not depend on time.",
      .examples =
          "driftless analyse attractor cycle.mo --method sdirk-2-half\n"
          "driftless analyse attractor cycle.mo --underlying-ode --transient 500   # what is lost\n"
          "driftless analyse attractor problem:lorenz_lifted --section u3=27 --direction falling\n"
          "driftless analyse attractor cycle.mo --report cycle.html   # distances and the sets themselves, to look at\n"
          "driftless analyse attractor cycle.mo --output points.csv",
      .options = one_after_another({model_options(request->model), method_options(*request), cloud_options(*request),
                                    limit_options(*request), execution_options(*request)}),
      .run = [request] { return run(*request); }};
}

}  // namespace driftless::cli
