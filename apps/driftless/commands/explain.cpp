// driftless explain: what a failure or an exit code means, its usual causes, and what to try.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/json.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"
#include "apps/driftless/program/names.h"

namespace driftless::cli {

namespace {

struct ExplainRequest {
  std::string failure;
  bool json = false;
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Explanation& one : explanations()) all.emplace_back(one.name);
  return all;
}

const Explanation& find(const std::string& wanted) {
  std::string name = canonical(wanted);
  // What the library calls it in messages.
  if (name == "newton-iteration-did-not-converge") name = "newton-did-not-converge";
  if (name == "rank-deficient-constraints") name = "rank-deficient";
  if (name == "stopped") name = "interrupted";
  for (const Explanation& one : explanations())
    if (name == one.name || name == std::to_string(static_cast<int>(one.code))) return one;
  throw Stop(ExitCode::usage, fmt::format("no failure and no exit code is called '{}'{}\n  try:   driftless explain",
                                          wanted, perhaps(name, names())));
}

std::vector<std::string> split(const char* text) {
  std::vector<std::string> result;
  for (const std::string_view line : lines_of(text)) result.emplace_back(line);
  return result;
}

void print_all() {
  TextTable table({{"code", TextTable::Align::right}, {"name"}, {"meaning"}});
  for (const Explanation& one : explanations()) {
    const std::string_view meaning = one.meaning;
    table.add({std::to_string(static_cast<int>(one.code)), one.name,
               std::string(meaning.substr(0, meaning.find_first_of(".:")))});
  }
  say("{}\n`driftless explain NAME` (or a code) has the usual causes and what to try.\n", table.text());
}

void print(const Explanation& one) {
  const std::size_t width = terminal_width();
  say("{} (exit code {})\n\n{}", bold(one.name), static_cast<int>(one.code), wrapped(one.meaning, width));
  const auto list = [&](const char* title, const char* items) {
    if (*items == '\0') return;
    say("\n{}\n", bold(title));
    for (const std::string_view item : lines_of(items)) say("{}", labelled("  -", item, width, 4));
  };
  list("Usual causes", one.causes);
  list("What to try", one.remedies);
}

Json as_json(const Explanation& one) {
  return {{"code", static_cast<int>(one.code)},
          {"name", one.name},
          {"meaning", one.meaning},
          {"causes", split(one.causes)},
          {"remedies", split(one.remedies)}};
}

ExitCode explain(const ExplainRequest& request) {
  if (request.json) {
    Json all = Json::array();
    for (const Explanation& one : explanations()) all.push_back(as_json(one));
    answer(request.failure.empty() ? all : as_json(find(request.failure)));
  } else if (request.failure.empty()) {
    print_all();
  } else {
    print(find(request.failure));
  }
  return ExitCode::ok;
}

}  // namespace

Command explain_command() {
  const auto request = std::make_shared<ExplainRequest>();
  return {.name = "explain",
          .summary = "what a failure or an exit code means, and what to try",
          .details = "Without an argument: all of them.",
          .examples =
              "driftless explain 16\n"
              "driftless explain step-size-too-small\n"
              "driftless solve swing.mo || driftless explain $?",
          .options = {{.name = "FAILURE",
                       .target = &request->failure,
                       .text = "its name, as messages and --json have it, or the code",
                       .words = names},
                      option("--json", &request->json, "for programs")},
          .run = [request] { return explain(*request); }};
}

}  // namespace driftless::cli
