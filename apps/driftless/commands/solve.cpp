// driftless solve: from a model to a table of its solution.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/commands/solve_options.h"
#include "apps/driftless/commands/solve_report.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/metadata.h"
#include "apps/driftless/output/output_file.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/plot/plot.h"
#include "apps/driftless/program/interrupt.h"
#include "driftless/core/phase.h"
#include "driftless/core/stop.h"

namespace driftless::cli {

namespace {

using Outputs = std::vector<std::unique_ptr<OutputFile>>;

Outputs open_outputs(const SolveRequest& request) {
  Outputs files;
  for (const std::string& path : request.outputs) {
    if (path == "-" && request.json)
      throw Stop(ExitCode::usage, "--json and --output - both want standard output; choose one");
    files.push_back(open_output(path, request.metadata));
  }
  if (!request.report.empty()) files.push_back(open_html(request.report));
  if (!request.plot.empty()) files.push_back(open_plot(request.plot, request.view));
  return files;
}

// Every file is tried, even if another one fails: what can be saved is saved.
std::vector<std::string> write_outputs(const Outputs& files, const Model& model, const Plan& plan, const Run& run) {
  const Phase phase("writing");
  const Recording& recording = run.recording;
  const Metadata metadata = metadata_of(model, plan, run);
  const bool wanted = std::any_of(files.begin(), files.end(), [](const auto& file) { return file->wants_report(); });
  const ReportRun report = wanted ? report_of(model, plan, run) : ReportRun{};
  std::vector<std::string> written;
  std::string trouble;
  for (const auto& file : files) {
    try {
      file->write(recording, metadata, wanted ? &report : nullptr);
      if (!file->description().empty())
        written.push_back(
            fmt::format("{}: {} rows, {} columns", file->description(), recording.rows(), recording.columns.size()));
    } catch (const Stop& stop) {
      trouble += (trouble.empty() ? "" : "\n") + std::string(stop.what());
    }
  }
  if (!trouble.empty()) throw Stop(ExitCode::file, trouble);
  return written;
}

ExitCode solve(const SolveRequest& request) {
  // A bound of the error is one of the states as they are.
  const auto model = request.model.load(request.error_bound ? StateUnits::as_written : StateUnits::nominal);
  print_warnings(*model);
  const Plan plan = make_plan(request, *model);
  const Outputs files = open_outputs(request);
  const Interrupt interrupt;  // until all is written
  const Run run = run_model(*model, plan);
  const Undisturbed undisturbed;  // what was computed is written, also after a stop
  std::vector<std::string> written;
  if (run.recording.rows() > 0) written = write_outputs(files, *model, plan, run);
  const bool table_on_output = std::find(request.outputs.begin(), request.outputs.end(), "-") != request.outputs.end();
  if (request.json)
    answer(solve_result(*model, plan, run));
  else if (!request.quiet && !table_on_output)
    say("{}", text_report(*model, plan, run, written));
  if (run.failure) print_failure(run.failure->message(), run.code);
  return run.code;
}

std::vector<Option> output_options(SolveRequest& request) {
  const std::string group = "Output";
  return {
      {.name = "--output",
       .target = &request.outputs,
       .value = "FILE",
       .text = "write the solution: FILE.csv, FILE.h5, or - for CSV on standard output; may be given several times",
       .group = group,
       .letter = 'o',
       .file_endings = {".csv", ".h5", ".hdf5"}},
      {.name = "--report",
       .target = &request.report,
       .value = "FILE",
       .text =
           "write a page to look at: pictures of the results, the constraints and the steps, animation, statistics; "
           "one HTML file that needs no network",
       .group = group,
       .file_endings = {".html"}},
      {.name = "--plot",
       .target = &request.plot,
       .value = "FILE",
       .text = "draw a picture with gnuplot: FILE.svg, FILE.png, or FILE.gif for a mechanism in motion",
       .group = group,
       .file_endings = {".svg", ".png", ".gif"}},
      {.name = "--view",
       .target = &request.view,
       .value = "WORD",
       .text = "what the picture shows: all (default), results, constraints, steps, phase, motion",
       .group = group,
       .choices = plot_views},
      option("--grid N", &request.grid, "N equal intervals, N + 1 rows (default: the model's Interval, or 500)", group),
      option("--interval DT", &request.interval, "a row every DT", group),
      option("--every-step", &request.every_step, "a row for every accepted step", group),
      {.name = "--no-metadata",
       .target = &request.metadata,
       .text = "no FILE.csv-metadata.json beside FILE.csv",
       .group = group,
       .flag_value = false},
      option("--json", &request.json,
             "one JSON object instead of a page: status, index, method, t, final, statistics, constraints, start, "
             "warnings",
             group),
      {.name = "--quiet", .target = &request.quiet, .text = "no page at the end", .group = group, .letter = 'q'}};
}

}  // namespace

Command solve_command() {
  const auto request = std::make_shared<SolveRequest>();
  Command command{
      .name = "solve",
      .summary = "integrate a model, and write what happened",
      .details =
          "Makes the start consistent, integrates, projects every step back to the constraints, hidden ones included, "
          "and prints the values at the end with what the run cost and how well the constraints were kept.\n"
          "If the run fails, or on Ctrl-C, SIGTERM or SIGHUP, everything until then is written, and the exit code "
          "tells why it ended "
          "(`driftless explain`).",
      .examples =
          "driftless solve swing.mo\n"
          "driftless solve swing.mo --output swing.csv --interval 0.01\n"
          "driftless solve swing.mo --set L=2 --t-end 30 --rtol 1e-9 -o long.h5 -o long.csv\n"
          "driftless solve swing.mo --report swing.html\n"
          "driftless solve problem:andrews_squeezer --json\n"
          "driftless solve rectifier.mo --rtol 1e-8 --error-bound        # how wrong can it be?\n"
          "driftless solve problem:pendulum_schropp --method hem5 --step-size 0.01",
      .options = model_options(request->model),
      .run = [request] { return solve(*request); }};
  for (auto part : {run_options, accuracy_options, constraint_options, output_options})
    for (Option& option : part(*request)) command.options.push_back(std::move(option));
  return command;
}

}  // namespace driftless::cli
