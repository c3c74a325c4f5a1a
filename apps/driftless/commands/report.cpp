// driftless report: results that were written, as a page; several of them side by side.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/output/output_file.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/plot/gnuplot.h"
#include "apps/driftless/plot/plot.h"
#include "apps/driftless/report/bench_article.h"
#include "apps/driftless/report/page.h"
#include "apps/driftless/report/read_run.h"
#include "driftless/core/phase.h"
#include "driftless/core/stop.h"

namespace driftless::cli {

namespace {

struct ReportRequest {
  std::vector<std::string> results;
  std::string output, plot, view = "all";
};

std::string output_of(const ReportRequest& request) {
  if (!request.output.empty()) return request.output;
  if (request.results.size() > 1) return "comparison.html";
  return std::filesystem::path(request.results[0]).replace_extension(".html");
}

bool of_benchmark(const std::string& path) { return std::filesystem::path(path).extension() == ".json"; }

void write_page(const std::string& path, const std::string& page) {
  PendingFile file(path);
  file.write(page);
  file.commit();
  say("{}: {:.1f} MB\n", file.path(), static_cast<double>(page.size()) / 1e6);
}

ExitCode report_benchmark(const ReportRequest& request) {
  if (!request.plot.empty())
    throw Stop(ExitCode::usage, "--plot is for runs; the benchmark draws its own diagrams (bench/run --all)");
  std::vector<Json> problems;
  for (const std::string& path : request.results) problems.push_back(read_bench(path));
  write_page(output_of(request), article_page(bench_article(problems)));
  return ExitCode::ok;
}

ExitCode report(const ReportRequest& request) {
  const auto count = std::count_if(request.results.begin(), request.results.end(), of_benchmark);
  if (count > 0 && static_cast<std::size_t>(count) < request.results.size())
    throw Stop(ExitCode::usage, "runs (HDF5) and results of the benchmark (JSON) do not go into one page");
  if (count > 0) return report_benchmark(request);
  if (!request.plot.empty()) require_gnuplot(request.plot);
  const Phase phase("report");
  std::vector<ReportRun> runs;
  for (const std::string& path : request.results) {
    check_stop();
    runs.push_back(read_run(path));
  }
  if (!request.plot.empty()) {
    PendingFile picture(request.plot);
    picture.write(plot_picture(request.plot, request.view, runs));
    picture.commit();
    say("{}\n", request.plot);
    if (request.output.empty()) return ExitCode::ok;
  }
  check_stop();
  write_page(output_of(request), report_page(runs));
  return ExitCode::ok;
}

}  // namespace

Command report_command() {
  const auto request = std::make_shared<ReportRequest>();
  return {
      .name = "report",
      .summary = "make a page to look at from files of results, several of them side by side",
      .details =
          "Reads what `driftless solve --output FILE.h5` wrote and makes one HTML file of it that needs no network: "
          "the same page as `driftless solve --report` writes. Several files make a comparison, say of runs with "
          "and without projection.\n"
          "Files of the benchmark, bench/run PROBLEM --rows --json, become work-precision diagrams.",
      .examples =
          "driftless report swing.h5\n"
          "driftless report projected.h5 drifting.h5 --output drift.html\n"
          "driftless report projected.h5 drifting.h5 --plot drift.svg --view constraints\n"
          "driftless report bench-results/*.json --output benchmark.html",
      .options = {{.name = "RESULT",
                   .target = &request->results,
                   .text = "files of results, HDF5, or of the benchmark, JSON",
                   .required = true,
                   .file_endings = {".h5", ".hdf5", ".json"}},
                  {.name = "--output",
                   .target = &request->output,
                   .value = "FILE",
                   .text = "the page (default: RESULT.html, or comparison.html for several)",
                   .group = "Output",
                   .letter = 'o',
                   .file_endings = {".html"}},
                  {.name = "--plot",
                   .target = &request->plot,
                   .value = "FILE",
                   .text = "draw a picture with gnuplot instead: FILE.svg, FILE.png, or FILE.gif for a mechanism in "
                           "motion; with --output both",
                   .group = "Output",
                   .file_endings = {".svg", ".png", ".gif"}},
                  {.name = "--view",
                   .target = &request->view,
                   .value = "WORD",
                   .text = "what the picture shows: all (default), results, constraints, steps, phase, motion",
                   .group = "Output",
                   .choices = plot_views}},
      .run = [request] { return report(*request); }};
}

}  // namespace driftless::cli
