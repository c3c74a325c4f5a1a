// driftless problems: the reference problems, and what is known about each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/model/problem_files.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/json.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"
#include "apps/driftless/program/names.h"
#include "testset/problem.h"

namespace driftless::cli {

namespace {

struct ProblemsRequest {
  std::string name;
  bool json = false;
};

std::vector<double> reference_times(const testset::Problem& problem) {
  std::vector<double> times;
  for (const auto& reference : problem.references) times.push_back(reference.time);
  return times;
}

std::string as_command(const ProblemFile& file) {
  std::string text = std::string("examples/models/") + file.file;
  for (const std::string& setting : file.settings) text += " --set " + setting;
  return text;
}

void list_problems() {
  using Align = TextTable::Align;
  TextTable table({{"name"}, {"index", Align::right}, {"unknowns", Align::right}, {"what"}});
  for (const std::string& name : testset::problem_names()) {
    const testset::Problem problem = testset::problem(name);
    table.add({name, std::to_string(index_of(problem.equations)), std::to_string(layout_of(problem.equations).size()),
               problem.title});
  }
  say("{}\nSolve one with `driftless solve problem:NAME`; `driftless problems NAME` tells more. Each is also a model "
      "file\nin examples/models/.\n",
      table.text());
}

void print(const testset::Problem& problem) {
  const std::size_t width = terminal_width();
  say("{}: {}\n\n", bold(problem.name), problem.title);
  const auto line = [&](const char* label, const std::string& content) {
    if (!content.empty()) say("{}", labelled(label, content, width, 14));
  };
  line("  equations", describe_form(problem.equations));
  line("  constraints", fmt::format("{}", fmt::join(constraint_names_of(problem.equations), ", ")));
  line("  source", problem.source);
  line("  notes", problem.notes);
  std::string compared;
  if (!problem.references.empty())
    compared =
        fmt::format("t = {}, trusted to {} digits", fmt::join(reference_times(problem), ", "), problem.trusted_digits);
  if (problem.exact) compared += compared.empty() ? "any t (closed form)" : "; any t (closed form)";
  line("  compared at", compared);
  line("  as a model", as_command(problem_file(problem.name)));
  say("\n");
  TextTable table({{"unknown"}, {fmt::format("start, t = {}", problem.begin), TextTable::Align::right}});
  const Layout& layout = layout_of(problem.equations);
  for (std::size_t i = 0; i < layout.size(); ++i) table.add({layout.name(i), fmt::format("{:.10g}", problem.start[i])});
  say("{}", table.text(2));
}

Json as_json(const testset::Problem& problem) {
  const ProblemFile file = problem_file(problem.name);
  Json object = {{"name", problem.name},
                 {"title", problem.title},
                 {"index", index_of(problem.equations)},
                 {"unknowns", layout_of(problem.equations).names()},
                 {"constraints", constraint_names_of(problem.equations)},
                 {"source", problem.source},
                 {"notes", problem.notes},
                 {"begin", problem.begin},
                 {"start", problem.start},
                 {"references", reference_times(problem)},
                 {"trusted_digits", problem.trusted_digits},
                 {"closed_form", static_cast<bool>(problem.exact)},
                 {"model_file", file.file}};
  object["model_settings"] = file.settings;
  object["model_names"] = names_in_model_file(problem.name, layout_of(problem.equations).names());
  return object;
}

ExitCode problems(const ProblemsRequest& request) {
  const auto& known = testset::problem_names();
  std::string name = request.name;
  if (name.rfind("problem:", 0) == 0) name.erase(0, 8);
  if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end())
    throw Stop(ExitCode::usage, fmt::format("there is no reference problem '{}'{}\n  try:   driftless problems", name,
                                            perhaps(name, known)));
  if (request.json && !name.empty()) {
    answer(as_json(testset::problem(name)));
  } else if (request.json) {
    Json all = Json::array();
    for (const std::string& one : known) all.push_back(as_json(testset::problem(one)));
    answer(all);
  } else if (name.empty()) {
    list_problems();
  } else {
    print(testset::problem(name));
  }
  return ExitCode::ok;
}

}  // namespace

Command problems_command() {
  const auto request = std::make_shared<ProblemsRequest>();
  return {.name = "problems",
          .summary = "the reference problems, and what is known about them",
          .details = "Without an argument: a list.",
          .examples =
              "driftless problems\n"
              "driftless problems andrews_squeezer\n"
              "driftless solve problem:andrews_squeezer",
          .options = {{.name = "NAME",
                       .target = &request->name,
                       .text = "one of them",
                       .words = [] { return testset::problem_names(); }},
                      option("--json", &request->json, "for programs")},
          .run = [request] { return problems(*request); }};
}

}  // namespace driftless::cli
