// driftless check: what a model is made of, and whether its start is consistent, without running it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"
#include "driftless/core/phase.h"
#include "driftless/equations/index_check.h"
#include "driftless/linalg/analysis_scope.h"

namespace driftless::cli {

namespace {

struct CheckRequest {
  ModelRequest model;
  bool json = false;
};

// The unknowns of the solver, block by block.
std::vector<std::pair<std::string, Names>> blocks_of(const Equations& equations) {
  std::vector<std::pair<std::string, Names>> blocks;
  const Layout& layout = layout_of(equations);
  for (const Block& block : layout.blocks()) {
    Names names;
    for (std::size_t i = block.begin; i < block.begin + block.size; ++i) names.push_back(layout.name(i));
    if (!names.empty()) blocks.emplace_back(block.symbol, std::move(names));
  }
  return blocks;
}

Json as_json(const Model& model, const Start& start, const IndexReport& index,
             const std::vector<Model::OtherBranch>& branches) {
  const Equations& equations = start.stretch.equations;
  Json blocks = Json::object(), beginning = start_as_json(start);
  for (const auto& [symbol, names] : blocks_of(equations)) blocks[symbol] = names;
  beginning["residuals"] = start.residuals;
  Json object = {{"status", "ok"},
                 {"model", model.name},
                 {"index", index.index},
                 {"unknowns", std::move(blocks)},
                 {"constraints", constraint_names_of(equations)},
                 {"rank", index.rank},
                 {"condition", index.condition},
                 {"redundant", index.redundant},
                 {"verdict", index.verdict},
                 {"start", std::move(beginning)},
                 {"other_branches", Json::array()},
                 {"warnings", model.warnings}};
  for (const Model::OtherBranch& branch : branches)
    object["other_branches"].push_back(
        {{"line", branch.line}, {"what", branch.message}, {"has_form", branch.has_form}});
  object.update(model.structure());
  return object;
}

std::string consistency(const Start& start) {
  std::vector<std::string> residuals;
  for (const double residual : start.residuals) residuals.push_back(fmt::format("{:.1e}", residual));
  const std::string given =
      residuals.empty() ? "" : fmt::format(" (constraints off by {} as given)", fmt::join(residuals, ", "));
  if (start.changes.empty()) return "consistent as given" + given;
  return fmt::format("{} would be changed{}", counted(start.changes.size(), "value", "values"), given);
}

void print(const Model& model, const Start& start, const IndexReport& index,
           const std::vector<Model::OtherBranch>& branches) {
  const std::size_t width = terminal_width();
  const Equations& equations = start.stretch.equations;
  say("{}{}\n\n", bold(model.name), model.title.empty() ? "" : ": " + model.title);
  const auto line = [&](const std::string& label, const std::string& content) {
    if (!content.empty()) say("{}", labelled("  " + label, content, width, 14));
  };
  line("equations", describe_form(equations));
  const auto notes = model.notes();
  for (const Model::Note& note : notes) line(note.label, note.text);
  if (notes.empty()) {
    for (const auto& [symbol, names] : blocks_of(equations)) line(symbol, fmt::format("{}", fmt::join(names, ", ")));
    line("constraints", fmt::format("{}", fmt::join(constraint_names_of(equations), "; ")));
  }
  line("index", index.verdict);
  std::string label = "modes";
  for (const Model::OtherBranch& branch : branches) {
    if (!branch.has_form) continue;
    line(label, fmt::format("the branch in line {} has a form of its own: {}", branch.line, branch.difference));
    label.clear();
  }
  line("start", consistency(start));
  line("", chosen_words(start));
  if (start.changes.empty()) return;
  using Align = TextTable::Align;
  TextTable table({{"would be changed"}, {"from", Align::right}, {"to", Align::right}});
  for (const StartChange& change : start.changes)
    table.add({change.name, fmt::format("{:.10g}", change.from), fmt::format("{:.10g}", change.to)});
  say("\n{}", table.text(2));
}

ExitCode check(const CheckRequest& request) {
  const auto model = request.model.load(StateUnits::nominal);
  print_warnings(*model);
  const AnalysisScope analyses;  // of the start serve the index
  const Start start = model->start(model->begin);
  const IndexReport index = [&] {
    const Phase phase("index");
    return check_index(start.stretch.equations, start.stretch.begin, start.stretch.start);
  }();
  const std::vector<Model::OtherBranch> branches = model->other_branches(start.stretch);
  for (const Model::OtherBranch& branch : branches)
    if (!branch.has_form) say(stderr, "{} {}\n", caution("warning:"), branch.text);
  if (request.json)
    answer(as_json(*model, start, index, branches));
  else
    print(*model, start, index, branches);
  return ExitCode::ok;
}

}  // namespace

Command check_command() {
  const auto request = std::make_shared<CheckRequest>();
  Command command{.name = "check",
                  .summary = "index, structure, rank, and consistency of the start",
                  .details =
                      "Reads the model, finds its index and what its equations are made of, and says what would "
                      "be changed to make the start values satisfy all constraints, hidden ones included. "
                      "Branches of if-equations and if-expressions that have another index or another number of "
                      "constraints than the start are named: a run goes on in them with a form of their own. "
                      "Nothing is integrated.",
                  .examples =
                      "driftless check swing.mo\n"
                      "driftless check swing.mo --set L=2 --json\n"
                      "driftless check problem:redundant_parallelogram",
                  .options = model_options(request->model),
                  .run = [request] { return check(*request); }};
  command.options.push_back(option("--json", &request->json, "one JSON object", "Output"));
  return command;
}

}  // namespace driftless::cli
