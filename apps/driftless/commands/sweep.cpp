// driftless sweep: many runs of a model with other values, and what each of them came to.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/commands/solve_options.h"
#include "apps/driftless/commands/sweep_request.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/program/interrupt.h"
#include "apps/driftless/program/watch.h"
#include "apps/driftless/report/article_file.h"
#include "apps/driftless/report/study_article.h"
#include "apps/driftless/study/study_files.h"
#include "apps/driftless/study/study_journal.h"
#include "driftless/core/phase.h"

namespace driftless::cli {

namespace {

// "runs: 120 of 1000, 53 a second, 17 s left, 2 failed"
class RateOfRuns {
 public:
  explicit RateOfRuns(std::size_t total) : total_(total) {}
  void see(const TableRow& row) {
    ++done_;
    failed_ += row.ok() ? 0 : 1;
    Watch* const watch = Watch::current();
    if (watch == nullptr || !watch->is_due()) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    const double rate = static_cast<double>(done_) / seconds;
    std::string line = fmt::format("runs: {} of {}, {:.3g} a second, {:.0f} s left", done_, total_, rate,
                                   static_cast<double>(total_ - done_) / rate);
    if (failed_ > 0) line += fmt::format(", {} failed", failed_);
    watch->show(line);
  }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin_ = Clock::now();
  std::size_t total_, done_ = 0, failed_ = 0;
};

std::vector<std::string> paths_of(const SweepRequest& request, const Shard& shard) {
  std::vector<std::string> paths;
  for (const std::string& path : request.outputs) {
    if (path == "-" && request.json)
      throw Stop(ExitCode::usage, "--json and --output - both want standard output; choose one");
    paths.push_back(path == "-" ? path : shard.path(path));
  }
  return paths;
}

// Beside the first file; without a file nothing is kept.
std::unique_ptr<StudyJournal> journal_for(const std::vector<std::string>& paths, const Study& study,
                                          const Shard& shard) {
  for (const std::string& path : paths)
    if (path != "-")
      return std::make_unique<StudyJournal>(path, study.identity + ' ' + shard.label(), study.results.columns.size());
  return nullptr;
}

void run_missing(Study& study, const Shard& shard, StudyJournal* journal, unsigned threads) {
  auto& rows = study.results.rows;
  if (journal != nullptr) rows = journal->rows();
  std::vector<std::size_t> missing;
  for (const std::size_t run : shard.runs(study.design.size()))
    if (!rows.contains(run)) missing.push_back(run);
  const Phase phase("runs");
  RateOfRuns rate(missing.size());
  study.options.execution.threads = threads;
  if (Watch* const watch = Watch::current(); watch != nullptr) study.options.execution.stop = watch->stop();
  const bool all = sweep(study.model, study.design, study.measures, missing, study.options, [&](const StudyRow& row) {
    const TableRow text = table_row(row);
    if (journal != nullptr) journal->add(text);
    rows[text.run] = text;
    rate.see(text);
  });
  clear_progress();
  if (all) return;
  std::string message = fmt::format("{} after {} of {} runs", stop_reason(), rows.size(), missing.size() + rows.size());
  if (journal != nullptr) message += fmt::format("; the same command goes on from there ({})", journal->path());
  throw Stop(stop_code(), message);
}

ExitCode run(const SweepRequest& request) {
  const Shard shard = shard_from(request.shard);
  Study study = study_of(request);
  for (const std::string& warning : study.model.warnings) say(stderr, "{} {}\n", caution("warning:"), warning);
  if (!shard.is_all()) {
    study.results.about["shard"] = shard.label();
    if (!request.quiet && !request.json) say(stderr, "shard {} of {} ({})\n", shard.number, shard.of, shard.from);
  }
  const std::vector<std::string> paths = paths_of(request, shard);
  StudyFiles files(paths, request.metadata);
  ArticleFile page(request.report.empty() ? "" : shard.path(request.report));
  const Interrupt interrupt;
  const auto journal = journal_for(paths, study, shard);
  const unsigned crowded = shard.crowded ? 1 : 0;
  run_missing(study, shard, journal.get(), request.threads ? static_cast<unsigned>(*request.threads) : crowded);
  const std::vector<std::string> written = files.write(study.results);
  if (journal) journal->remove();
  if (request.json)
    answer(study_json(study.results));
  else if (!request.quiet && !files.on_output())
    say("{}", study_text(study.results, written));
  if (page) page.write(study_article(study.results), request.json || files.on_output());
  if (study.results.failed() == 0) return ExitCode::ok;
  print_failure(
      fmt::format("{} of {} runs failed; their rows say why", study.results.failed(), study.results.rows.size()),
      ExitCode::runs_failed);
  return ExitCode::runs_failed;
}

std::vector<Option> study_options(SweepRequest& request) {
  const std::string group = "The study";
  return {
      {.name = "--set",
       .target = &request.solve.model.set,
       .value = "NAME=VALUES",
       .text = "k=1:0.1:2, k=1,2,5, k=linspace(0,1,11), k=logspace(1,1e4,50) from value to value; g~uniform(9,10), "
               "g~normal(9.81,0.1), g~lognormal(0,1) of the logarithm; or one value, k=3. Parameters and start values; "
               "may be given several times",
       .group = group},
      {.name = "--set-file",
       .target = &request.set_file,
       .value = "FILE.csv",
       .text = "a line of names, then a line of values for each run; each line is combined with all other values",
       .group = group,
       .file_endings = {".csv"}},
      {.name = "--combine",
       .target = &request.combine,
       .value = "WORD",
       .text = "lists of --set: grid (default), all with all; step, the first with the first, and so on",
       .group = group,
       .choices = {"grid", "step"}},
      option("--samples N", &request.samples, "how many values are drawn, at each point of the lists", group),
      {.name = "--sampling",
       .target = &request.sampling,
       .value = "WORD",
       .text = "how they are drawn: latin (default), a Latin hypercube; sobol, Sobol's sequence; random",
       .group = group,
       .choices = {"latin", "sobol", "random"}},
      option("--seed S", &request.seed, "another seed, other values (default: 0)", group),
      option("--show LIST", &request.show,
             "what is kept of each run: x or end(x), max(x), min(x), mean(x) over time, time(x < 0) of the first such "
             "event (default: the end of all results)",
             group),
      option("--grid N", &request.solve.grid,
             "times at which max, min and mean look at a run; extremes are refined between them (default: the model's "
             "Interval, or 500)",
             group),
      option("--interval DT", &request.solve.interval, "the same, every DT", group),
      option("--shard K/N", &request.shard,
             "only every N-th run, from the K-th on, to FILE.K-of-N.csv; `driftless merge` puts them together "
             "(default: what Slurm or mpirun say)",
             group)};
}

std::vector<Option> output_options(SweepRequest& request) {
  const std::string group = "Output";
  return {
      {.name = "--output",
       .target = &request.outputs,
       .value = "FILE",
       .text = "a row for each run: FILE.csv, FILE.h5, or - for CSV on standard output; may be given several times. "
               "Killed and started again, the study goes on where it was",
       .group = group,
       .letter = 'o',
       .file_endings = {".csv", ".h5", ".hdf5"}},
      report_option(request.report),
      {.name = "--no-metadata",
       .target = &request.metadata,
       .text = "no FILE.csv-metadata.json beside FILE.csv; `driftless merge` needs it",
       .group = group,
       .flag_value = false},
      option("--json", &request.json, "one JSON object", group),
      {.name = "--quiet", .target = &request.quiet, .text = "no page at the end", .group = group, .letter = 'q'},
      option("--threads N", &request.threads,
             "on N cores (default: all; one under mpirun); the results are the same for every N", group)};
}

// What a study does not have: its runs are no answers by themselves.
bool is_for_studies(const Option& option) { return option.name != "--verify" && option.name != "--error-bound"; }

}  // namespace

Command sweep_command() {
  const auto request = std::make_shared<SweepRequest>();
  Command command{
      .name = "sweep",
      .summary = "many runs with other parameters and start values, on all cores",
      .details =
          "Reads the model once and runs it with all values of a study: lists, grids, samples of distributions. "
          "A row of the result is a run: what was varied, what it came to, and how it ended. A run that fails "
          "is a row with its reason, and the study goes on; the exit code tells that there was one.\n"
          "Values of run i depend on the seed and on i alone, so that the result is the same to the byte for any "
          "number of cores and parts.",
      .examples =
          "driftless sweep swing.mo --set L=0.5:0.1:2 --show 'max(F),min(y)'\n"
          "driftless sweep swing.mo --set 'g~normal(9.81,0.1)' --samples 1000 --seed 7 -o swing.csv\n"
          "driftless sweep swing.mo --set L=1,2 --set 'm=logspace(0.1,10,20)' --report study.html\n"
          "driftless sweep swing.mo --set-file values.csv --shard 1/8 -o swing.csv",
      .run = [request] { return run(*request); }};
  command.options = model_options(request->solve.model);
  std::erase_if(command.options, [](const Option& option) { return option.name == "--set"; });
  const auto add = [&](std::vector<Option> options) {
    for (Option& option : options)
      if (is_for_studies(option)) command.options.push_back(std::move(option));
  };
  add(study_options(*request));
  add(run_options(request->solve));
  add(accuracy_options(request->solve));
  add(constraint_options(request->solve));
  add(output_options(*request));
  return command;
}

}  // namespace driftless::cli
