// driftless linearise: the linear system near a state of a model, its modes, Bode and step responses.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <numbers>

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/commands/analysis_watch.h"
#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/linear_report.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/model/model_text.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/program/limits.h"
#include "apps/driftless/report/article_file.h"

namespace driftless::cli {

namespace {

struct LineariseRequest {
  ModelRequest model;
  std::optional<double> at, rtol;
  bool steady = false, json = false;
  std::string inputs, outputs, report, matrices;
};

LineariseOptions options_of(const LineariseRequest& request) {
  LineariseOptions options{.time = request.at, .steady = request.steady};
  if (!request.inputs.empty()) options.inputs = words_from(request.inputs);
  if (!request.outputs.empty()) options.outputs = words_from(request.outputs);
  options.run.tolerance.relative = request.rtol.value_or(1e-10);
  options.run.tolerance.absolute = 1e-3 * options.run.tolerance.relative;
  return options;
}

ExitCode run(const LineariseRequest& request) {
  if (request.model.source.starts_with(problem_prefix))
    throw Stop(ExitCode::usage, fmt::format("{}: linearise takes model files\n  try:   the problem's file among the "
                                            "examples (examples/models)",
                                            request.model.source));
  const LineariseOptions options = options_of(request);
  std::vector<Setting> settings;
  for (const std::string& text : request.model.set) settings.push_back(setting_from(text));
  const TextModel model(read_model_text(request.model.source), settings, StateUnits::as_written, limits().reading);
  for (const std::string& warning : model.warnings) say(stderr, "{} {}\n", caution("warning:"), warning);
  MatrixFiles files(request.matrices);
  ArticleFile page(request.report);
  AnalysisWatch watch({});
  const LinearFindings found{.model = model.name,
                             .title = model.title,
                             .options = options,
                             .system = watch.value_of(linearise(model, options))};
  const std::vector<std::string> written = files.write(found);
  if (request.json)
    answer(linear_json(found));
  else
    say("{}", linear_text(found, written));
  if (page) page.write(linear_article(found), request.json);
  return ExitCode::ok;
}

}  // namespace

Command linearise_command() {
  const auto request = std::make_shared<LineariseRequest>();
  const std::string group = "The linear system";
  Command command{
      .name = "linearise",
      .summary = "the linear system near a state: modes, stability, Bode and step responses",
      .details =
          "Small deviations from a state that the constraints allow obey y' = A y + B p, w = C y + D p, with "
          "parameters p as inputs and results w as outputs. A is that of the underlying equation on the "
          "constraints, hidden ones included, for every index; its size is the number of degrees of freedom. "
          "Its eigenvalues are shown with the components that move most.\n"
          "At an equilibrium they say whether it is stable; elsewhere they depend on coordinates, and that is "
          "said. Derivatives are differences of fourth order, with a check that halved ones agree.",
      .examples =
          "driftless linearise swing.mo --steady\n"
          "driftless linearise swing.mo --at 0.5 --json\n"
          "driftless linearise filter.mo --steady --input U --output y --report bode.html\n"
          "driftless linearise filter.mo --steady --input U --output y --matrices filter",
      .options = model_options(request->model),
      .run = [request] { return run(*request); }};
  for (Option& option : std::vector<Option>{
           option("--at T", &request->at, "at this time of a run, instead of its start", group),
           option("--steady", &request->steady, "at the equilibrium that Newton's method finds from there", group),
           option("--input LIST", &request->inputs, "parameters, separated by commas", group),
           option("--output LIST", &request->outputs, "results, separated by commas", group),
           option("--rtol TOL", &request->rtol, "relative tolerance of the run to --at (default: 1e-10)", group),
           report_option(request->report),
           {.name = "--matrices",
           .target = &request->matrices,
           .value = "NAME",
           .text = "write NAME.A.csv, and NAME.B.csv, .C.csv, .D.csv if there are inputs and outputs",
           .group = "Output"},
           option("--json", &request->json, "one JSON object, with all matrices", "Output")})
    command.options.push_back(std::move(option));
  return command;
}

}  // namespace driftless::cli
