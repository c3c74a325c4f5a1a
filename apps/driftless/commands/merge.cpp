// driftless merge: the parts of a study as one.
#include <fmt/format.h>

#include <memory>

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/program/interrupt.h"
#include "apps/driftless/report/article_file.h"
#include "apps/driftless/report/study_article.h"
#include "apps/driftless/study/read_study.h"
#include "apps/driftless/study/study_files.h"

namespace driftless::cli {

namespace {

struct MergeRequest {
  std::vector<std::string> parts, outputs;
  std::string report;
  bool incomplete = false, metadata = true, json = false, quiet = false;
};

void add(StudyResults& all, StudyResults part, const std::string& first, const std::string& path) {
  if (part.about.at("study") != all.about.at("study"))
    throw Stop(ExitCode::file, fmt::format("{} and {} are not parts of one study: the model, the values, the options "
                                           "or the version differ",
                                           first, path));
  for (auto& [run, row] : part.rows)
    if (!all.rows.emplace(run, std::move(row)).second)
      throw Stop(ExitCode::file, fmt::format("{}: run {} is in another file as well", path, run));
}

void require_all(const StudyResults& all) {
  if (all.rows.size() == all.total) return;
  std::size_t missing = 0;
  for (const auto& [run, row] : all.rows) {
    if (run != missing) break;
    ++missing;
  }
  throw Stop(ExitCode::file,
             fmt::format("{} of {} runs are missing, the first is run {}\n  try:   name all parts, or --incomplete",
                         all.total - all.rows.size(), all.total, missing));
}

ExitCode merge(const MergeRequest& request) {
  if (request.outputs.empty() && request.report.empty() && !request.json)
    throw Stop(ExitCode::usage, "say what to write: --output FILE.csv, --report FILE.html, or --json");
  for (const std::string& path : request.outputs)
    if (path == "-" && request.json)
      throw Stop(ExitCode::usage, "--json and --output - both want standard output; choose one");
  StudyResults all = read_study(request.parts.front());
  for (std::size_t k = 1; k < request.parts.size(); ++k)
    add(all, read_study(request.parts[k]), request.parts.front(), request.parts[k]);
  if (!request.incomplete) require_all(all);
  all.about.erase("shard");
  StudyFiles files(request.outputs, request.metadata);
  ArticleFile page(request.report);
  const Interrupt interrupt;
  const std::vector<std::string> written = files.write(all);
  if (request.json)
    answer(study_json(all));
  else if (!request.quiet && !files.on_output())
    say("{}", study_text(all, written));
  if (page) page.write(study_article(all), request.json || files.on_output());
  return all.failed() == 0 ? ExitCode::ok : ExitCode::runs_failed;
}

}  // namespace

Command merge_command() {
  const auto request = std::make_shared<MergeRequest>();
  const std::string group = "Output";
  return {
      .name = "merge",
      .summary = "put the parts of a study together",
      .details =
          "Takes what `driftless sweep --shard` wrote, here or on many machines, and writes what it would "
          "have written without parts, to the byte. Parts of different studies, and runs that are missing "
          "or there twice, are refused.",
      .examples =
          "driftless merge swing.1-of-3.csv swing.2-of-3.csv swing.3-of-3.csv --output swing.csv\n"
          "driftless merge swing.*-of-8.csv --output swing.csv --report swing.html",
      .options =
          {{.name = "PART",
            .target = &request->parts,
            .text = "FILE.K-of-N.csv, with FILE.K-of-N.csv-metadata.json beside it",
            .required = true,
            .file_endings = {".csv"}},
           option("--incomplete", &request->incomplete, "although runs are missing", "Other"),
           {.name = "--output",
            .target = &request->outputs,
            .value = "FILE",
            .text = "FILE.csv, FILE.h5, or - for CSV on standard output; may be given several times",
            .group = group,
            .letter = 'o',
            .file_endings = {".csv", ".h5", ".hdf5"}},
           report_option(request->report),
           {.name = "--no-metadata",
            .target = &request->metadata,
            .text = "no FILE.csv-metadata.json beside FILE.csv",
            .group = group,
            .flag_value = false},
           option("--json", &request->json, "one JSON object", group),
           {.name = "--quiet", .target = &request->quiet, .text = "no page at the end", .group = group, .letter = 'q'}},
      .run = [request] { return merge(*request); }};
}

}  // namespace driftless::cli
