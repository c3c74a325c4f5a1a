// driftless analyse errors: errors of implicit Euler and other methods with fixed steps, beside their bounds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/output_file.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"
#include "apps/driftless/report/article_file.h"
#include "apps/driftless/report/step_errors_article.h"
#include "driftless/core/phase.h"

namespace driftless::cli {

namespace {

void print(const Model& model, const StepErrors& found) {
  using Align = TextTable::Align;
  const auto line = [](const char* label, const std::string& content) {
    say("{}", labelled(label, content, terminal_width(), 14));
  };
  say("{}{}\n\n", bold(model.name), model.title.empty() ? "" : ": " + model.title);
  line("  method", fmt::format("{}, {} steps of {:.6g} from t = {:.6g} to {:.6g}", found.method, found.errors.size(),
                               found.h, found.begin, found.end));
  line("  norm", found.norm_source.empty() ? found.norm : fmt::format("{}: {}", found.norm, found.norm_source));
  std::vector<std::string> sides;
  for (std::size_t i = 0; i < found.unknowns.size(); ++i)
    sides.push_back(
        fmt::format("{} in [{:.4g}, {:.4g}]", found.unknowns[i], found.box.x[i].lower(), found.box.x[i].upper()));
  line("  box", fmt::format("{}{}", fmt::join(sides, ", "), found.box_given ? "" : ", around the run"));
  line("  P x", fmt::format("{}", fmt::join(found.differential, ", ")));
  if (found.has_constraint())
    line("  constraint", found.scaled ? "scaled by Newton's matrix" : "as written in the model");
  std::vector<TextTable::Column> columns = {
      {"t", Align::right}, {"error of P x", Align::right}, {"bound", Align::right}};
  if (found.has_constraint()) columns.insert(columns.end(), {{"error of Q x", Align::right}, {"bound", Align::right}});
  TextTable table(columns);
  const auto bound = [](const std::optional<double>& x) { return x ? fmt::format("{:.2e}", *x) : "-"; };
  const std::size_t rows = std::min<std::size_t>(found.errors.size(), 11);
  for (std::size_t k = 0; k < rows; ++k) {
    const StepError& one = found.errors[rows == 1 ? 0 : k * (found.errors.size() - 1) / (rows - 1)];
    std::vector<std::string> row = {fmt::format("{:.4g}", one.time), fmt::format("{:.2e}", one.p), bound(one.p_bound)};
    if (found.has_constraint()) row.insert(row.end(), {fmt::format("{:.2e}", one.q), bound(one.q_bound)});
    table.add(row);
  }
  say("\n{}\n", table.text(2));
  for (const std::string& sentence : found.sentences) say("{}", labelled("  -", sentence, terminal_width(), 4));
}

Json optional_json(const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); }

Json as_json(const Model& model, const StepErrors& found) {
  Json box = Json::object(), errors = Json::array();
  for (std::size_t i = 0; i < found.unknowns.size(); ++i)
    box[found.unknowns[i]] = {found.box.x[i].lower(), found.box.x[i].upper()};
  for (const StepError& one : found.errors)
    errors.push_back({{"t", one.time},
                      {"p", json_number(one.p)},
                      {"p_bound", optional_json(one.p_bound)},
                      {"q", json_number(one.q)},
                      {"q_bound", optional_json(one.q_bound)}});
  Json object = {{"status", "ok"},
                 {"model", model.name},
                 {"method", found.method},
                 {"steps", found.errors.size()},
                 {"h", found.h},
                 {"norm", found.norm},
                 {"box", std::move(box)},
                 {"differential", found.differential},
                 {"constraint_scaled", found.scaled},
                 {"index_1", found.index_1},
                 {"proved", found.proved},
                 {"rate", json_number(found.majorant.rate)},
                 {"step_limit", json_number(found.step_limit)},
                 {"bounded", found.bounded()},
                 {"left_box_at", optional_json(found.left_box_at)},
                 {"errors", std::move(errors)},
                 {"sentences", found.sentences}};
  if (!found.norm_source.empty()) object["norm_source"] = found.norm_source;
  return object;
}

std::string as_csv(const StepErrors& found) {
  const auto field = [](const std::optional<double>& x) { return x ? fmt::format("{}", *x) : ""; };
  std::string text = "time,error_p,bound_p,error_q,bound_q\n";
  for (const StepError& one : found.errors)
    text += fmt::format("{},{},{},{},{}\n", one.time, one.p, field(one.p_bound), one.q, field(one.q_bound));
  return text;
}

ExitCode run(const StepErrorsRequest& request) {
  const Phase phase("analysis");
  const auto model = request.where.model.load();
  print_warnings(*model);
  ArticleFile page(request.where.report);
  std::optional<PendingFile> csv;
  if (!request.where.csv.empty()) csv.emplace(request.where.csv);
  const StepErrors found = step_errors(request, *model);
  if (request.where.json)
    answer(as_json(*model, found));
  else
    print(*model, found);
  if (page) page.write(step_errors_article(*model, found), request.where.json);
  if (csv) {
    csv->write(as_csv(found));
    csv->commit();
  }
  return ExitCode::ok;
}

// Those of `analyse stability` that say where and in which norm, and those of the steps.
std::vector<Option> options_of(StepErrorsRequest& request) {
  const std::vector<std::string> shared = {"MODEL",       "--set",    "--box",        "--t-end", "--norm",
                                           "--transform", "--weight", "--constraint", "--boxes", "--accuracy",
                                           "--json",      "--csv",    "--report"};
  std::vector<Option> options = stability_options(request.where);
  std::erase_if(options, [&](const Option& option) {
    return std::find(shared.begin(), shared.end(), option.name) == shared.end();
  });
  for (Option& option : options) {
    if (option.name == "--box") option.text += " (default: a box around the run)";
    if (option.name == "--t-end") option.text = "end of the run (default: the model's StopTime)";
    if (option.name == "--csv") option.text = "errors and bounds over time, for a picture";
    if (option.name == "--accuracy")
      option.text = "relative width of the enclosures that is good enough (default: 1e-3)";
  }
  const std::string steps = "The steps";
  options.push_back(option("--steps N", &request.steps, "N fixed steps (default: 100)", steps));
  options.push_back(tableau_option(
      "--method NAME", &request.method,
      "a tableau, by name or as FILE.json (default: implicit-euler, for which the bound is sharpest)", steps));
  options.push_back(
      option("--newton TOL", &request.newton, "where Newton's iteration ends (default: at rounding)", steps));
  return options;
}

}  // namespace

Command analyse_errors_command() {
  const auto request = std::make_shared<StepErrorsRequest>();
  return {.name = "analyse errors",
          .summary = "errors of fixed steps beside their bounds, index 1",
          .details =
              "For models of index 1: runs a method with fixed steps, bounds its error in every step by logarithmic "
              "norms (Higueras and Soderlind 2003, sections 4 and 5) and puts it beside the error measured against a "
              "run with a tolerance of 1e-12. The bound knows the residuals of Newton's iteration, so that it tells "
              "what stopping it early costs. For adaptive steps: `solve --error-bound`.",
          .examples =
              "driftless analyse errors rectifier.mo --steps 200\n"
              "driftless analyse errors rectifier.mo --steps 50 --newton 1e-3 --json\n"
              "driftless analyse errors problem:lognorm_nonlinear --method radau-iia-3 --box -2.5:2.5\n"
              "driftless analyse errors rectifier.mo --report errors.html   # to look at",
          .options = options_of(*request),
          .run = [request] { return run(*request); }};
}

}  // namespace driftless::cli
