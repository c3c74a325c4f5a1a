// driftless reproduce: tables, figures and theorems of the papers, measured and judged.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/model/text_file.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/output_file.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/program/names.h"
#include "apps/driftless/reproduce/verdict.h"

namespace driftless::cli {

namespace {

using reproduce::Item;

struct ReproduceRequest {
  std::vector<std::string> items;
  bool list = false, json = false, csv = false;
  std::string report, expect;
};

std::vector<std::string> item_names() {
  std::vector<std::string> names;
  for (const Item& item : reproduce::items()) names.emplace_back(item.name);
  return names;
}

std::vector<const Item*> chosen(const ReproduceRequest& request) {
  std::vector<const Item*> all;
  if (request.items.empty())
    for (const Item& item : reproduce::items()) all.push_back(&item);
  for (const std::string& name : request.items) {
    const Item* item = reproduce::find_item(name);
    if (!item)
      throw Stop(ExitCode::usage, fmt::format("there is no item '{}'{}; known are {}", name,
                                              perhaps(name, item_names()), fmt::join(item_names(), ", ")));
    all.push_back(item);
  }
  return all;
}

Json bands_from(const std::string& path) {
  const std::string text = read_text_file(path);
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw Stop(ExitCode::file, fmt::format("cannot read '{}': {}", path, error.what()));
  }
}

void apply_bands(const Json& bands, std::vector<reproduce::Verdict>& verdicts) {
  try {
    if (const auto unknown = reproduce::expect(bands, verdicts); !unknown.empty())
      throw Stop(ExitCode::usage, fmt::format("--expect names what was not measured: {}", fmt::join(unknown, "; ")));
  } catch (const Json::exception&) {
    throw Stop(ExitCode::usage, R"(--expect wants {"ITEM": {"LINE": [low, high]}}; --json has the names)");
  }
}

ExitCode write_csv(const std::vector<const Item*>& items) {
  if (items.size() != 1 || !items[0]->csv) {
    std::vector<std::string> names;
    for (const Item& item : reproduce::items())
      if (item.csv) names.emplace_back(item.name);
    throw Stop(ExitCode::usage, fmt::format("--csv wants one of {}", fmt::join(names, ", ")));
  }
  say("{}", items[0]->csv());
  return ExitCode::ok;
}

ExitCode list_items() {
  for (const Item& item : reproduce::items()) say("{:12} {}\n             {}\n", item.name, item.title, item.source);
  return ExitCode::ok;
}

void print(const ReproduceRequest& request, const std::vector<reproduce::Verdict>& verdicts) {
  if (!request.json) return;
  Json all = Json::array();
  bool ok = true;
  for (const reproduce::Verdict& verdict : verdicts) {
    all.push_back(verdict_json(verdict));
    ok = ok && verdict.ok();
  }
  answer(Json{{"ok", ok}, {"items", std::move(all)}});
}

ExitCode run(const ReproduceRequest& request) {
  if (request.list) return list_items();
  const auto items = chosen(request);
  if (request.csv) return write_csv(items);
  const Json bands = request.expect.empty() ? Json::object() : bands_from(request.expect);
  std::unique_ptr<PendingFile> file;
  if (!request.report.empty()) file = std::make_unique<PendingFile>(request.report);
  std::vector<reproduce::Verdict> verdicts;
  for (const Item* item : items) verdicts.push_back(reproduce::judge(*item));
  apply_bands(bands, verdicts);
  print(request, verdicts);
  std::vector<std::string> off;
  for (const reproduce::Verdict& verdict : verdicts) {
    if (!request.json) say("{}", verdicts.size() == 1 ? verdict_text(verdict) : verdict_line(verdict));
    if (!verdict.ok()) off.emplace_back(verdict.item->name);
  }
  if (!request.json && verdicts.size() > 1) say("\n{}\n", reproduce::summary(verdicts));
  if (file) {
    file->write(verdict_page(verdicts));
    file->commit();
    if (!request.json) say("\nwritten: {}\n", file->path());
  }
  if (off.empty()) return ExitCode::ok;
  say(stderr, "driftless: not as expected: {}\n", fmt::join(off, ", "));
  return ExitCode::assumption_violated;
}

}  // namespace

Command reproduce_command() {
  const auto request = std::make_shared<ReproduceRequest>();
  return {
      .name = "reproduce",
      .summary = "the tables, figures and theorems of the papers, measured and judged",
      .details =
          "Repeats what the papers behind driftless computed, and measures what their theorems promise. Every item "
          "tells what the paper says, what is measured, and whether that lies where it should; the exit code is not "
          "0 if one does not. A statement that the measurement contradicts is called refuted; that is not a failure "
          "where it is known. Without ITEM all of them, which takes about half a minute.",
      .examples =
          "driftless reproduce --list\n"
          "driftless reproduce table1\n"
          "driftless reproduce --report papers.html\n"
          "driftless reproduce deviations --csv",
      .options = {{.name = "ITEM", .target = &request->items, .text = "what to reproduce", .words = item_names},
                  option("--list", &request->list, "the items", "Output"),
                  option("--json", &request->json, "the same for programs", "Output"),
                  option("--csv", &request->csv, "the data of a picture instead, for items on stability", "Output"),
                  {.name = "--report",
                   .target = &request->report,
                   .value = "FILE",
                   .text = "a page to look at, paper and measurement side by side",
                   .group = "Output",
                   .file_endings = {".html"}},
                  {.name = "--expect",
                   .target = &request->expect,
                   .value = "FILE",
                   .text = "judge by other bands: a JSON file {\"ITEM\": {\"LINE\": [low, high]}}; --json has the "
                           "names of the lines",
                   .group = "Verdict",
                   .file_endings = {".json"}}},
      .run = [request] { return run(*request); }};
}

}  // namespace driftless::cli
