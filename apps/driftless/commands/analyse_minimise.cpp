// driftless analyse minimise: constrained minimisation of a model by its gradient flow.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "apps/driftless/commands/analysis_watch.h"
#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/model/model_text.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"
#include "apps/driftless/program/limits.h"
#include "apps/driftless/report/article_file.h"
#include "apps/driftless/report/minimise_article.h"

namespace driftless::cli {

namespace {

struct MinimiseRequest : AnalysisRequest {
  std::string objective = "objective", method;
  bool maximise = false, keep_saddle = false;
  std::optional<double> step_size, rtol, bound;
  std::optional<std::size_t> step_limit;
};

void print_tables(const FoundMinimum& found) {
  using Align = TextTable::Align;
  TextTable variables({{"variable"}, {"value", Align::right}, {"unit"}, {""}});
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const ModelMinimisation::Variable& variable = found.problem.variables[i];
    variables.add({unquoted(variable.name), fmt::format("{:.10g}", found.values[i] + 0.0), variable.unit,
                   variable.chosen
                       ? variable.description
                       : fmt::format("computed{}{}", variable.description.empty() ? "" : "; ", variable.description)});
  }
  say("\n{}", variables.text(2));
  if (found.problem.constraints.empty()) return;
  TextTable constraints(
      {{"constraint"}, {"line", Align::right}, {"multiplier", Align::right}, {"off by", Align::right}});
  const Vector residuals = residuals_of(found);
  for (std::size_t k = 0; k < residuals.size(); ++k)
    constraints.add({found.problem.constraints[k].text, std::to_string(found.problem.constraints[k].place.line),
                     fmt::format("{:.10g}", found.problem.sign * found.minimum.multipliers[k] + 0.0),
                     fmt::format("{:.1e}", std::abs(residuals[k]))});
  say("\n{}\n", constraints.text(2));
  say("{}", wrapped("multiplier: of left minus right side in the Lagrangian. A right side larger by d changes the "
                    "best objective by -multiplier * d.",
                    terminal_width(), 2));
}

void print(const MinimiseRequest& request, const FoundMinimum& found) {
  const Minimum& minimum = found.minimum;
  say("{}{}\n\n", bold(found.name), found.title.empty() ? "" : ": " + found.title);
  const auto line = [&](const char* label, const std::string& content) {
    say("{}", labelled(label, content, terminal_width(), 14));
  };
  const double sign = found.problem.sign;
  line("  problem", fmt::format("{} to choose, {}", counted(minimum.u.size(), "variable", "variables"),
                                counted(minimum.multipliers.size(), "constraint", "constraints")));
  line("  objective", fmt::format("{} = {:.12g}, from {:.6g} at the feasible start", request.objective,
                                  sign * minimum.objective + 0.0, sign * minimum.start_objective + 0.0));
  std::vector<std::string> curvatures;
  for (const double curvature : minimum.curvatures) curvatures.push_back(fmt::format("{:.4g}", sign * curvature));
  if (curvatures.size() > 8) {
    curvatures.resize(8);
    curvatures.emplace_back("...");
  }
  line("  kind", fmt::format("{}; curvatures along the constraints: {}", kind_of(found), fmt::join(curvatures, ", ")));
  line("  work",
       fmt::format(
           "{} of the gradient flow, {} of Newton's method{}", counted(minimum.flow_steps, "step", "steps"),
           counted(minimum.newton_iterations, "iteration", "iterations"),
           minimum.saddles_left > 0
               ? fmt::format(", {} left", counted(static_cast<std::size_t>(minimum.saddles_left), "saddle", "saddles"))
               : ""));
  print_tables(found);
}

Json as_json(const MinimiseRequest& request, const FoundMinimum& found) {
  const Minimum& minimum = found.minimum;
  const double sign = found.problem.sign;
  Json values = Json::object(), chosen = Json::array(), constraints = Json::array();
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const std::string name = unquoted(found.problem.variables[i].name);
    values[name] = json_number(found.values[i]);
    if (found.problem.variables[i].chosen) chosen.push_back(name);
  }
  const Vector residuals = residuals_of(found);
  for (std::size_t k = 0; k < residuals.size(); ++k)
    constraints.push_back({{"text", found.problem.constraints[k].text},
                           {"line", found.problem.constraints[k].place.line},
                           {"multiplier", json_number(sign * minimum.multipliers[k] + 0.0)},
                           {"residual", json_number(residuals[k])}});
  Vector curvatures = minimum.curvatures;
  for (double& x : curvatures) x *= sign;
  return {{"status", "ok"},
          {"model", found.name},
          {"objective", request.objective},
          {"maximised", request.maximise},
          {"value", json_number(sign * minimum.objective + 0.0)},
          {"value_at_start", json_number(sign * minimum.start_objective + 0.0)},
          {"kind", kind_of(found)},
          {"chosen", std::move(chosen)},
          {"values", std::move(values)},
          {"constraints", std::move(constraints)},
          {"curvatures", json_numbers(curvatures)},
          {"gradient_residual", json_number(minimum.gradient_residual)},
          {"flow_time", json_number(minimum.flow_time)},
          {"flow_steps", minimum.flow_steps},
          {"newton_iterations", minimum.newton_iterations},
          {"saddles_left", minimum.saddles_left},
          {"violated_bounds", violated_bounds(found)}};
}

MinimiseOptions options_from(const MinimiseRequest& request, const Execution& execution) {
  if (request.method.empty() != !request.step_size)
    throw Stop(ExitCode::usage, "fixed steps need both --method and --step-size; without them steps are adaptive");
  MinimiseOptions options;
  if (request.step_size)
    options.discretisation = Discretisation{{.tableau = tableau_from(request.method)}, *request.step_size};
  if (request.rtol) options.tolerance = {.relative = *request.rtol, .absolute = 0.01 * *request.rtol};
  options.bound = request.bound.value_or(options.bound);
  options.step_limit = request.step_limit.value_or(options.step_limit);
  if (request.keep_saddle) options.most_saddles = 0;
  options.execution = execution;
  options.keep_path = !request.report.empty();
  return options;
}

FoundMinimum find(const MinimiseRequest& request) {
  if (request.model.source.rfind(problem_prefix, 0) == 0)
    throw Stop(ExitCode::usage, "reference problems have no objective: minimise wants a model file");
  std::vector<Setting> settings;
  for (const std::string& text : request.model.set) settings.push_back(setting_from(text));
  ModelText text = read_model_text(request.model.source);
  std::vector<std::string> warnings;
  FlatModel flat = flat_model(text, settings, limits().reading, warnings);
  for (const std::string& warning : warnings) say(stderr, "{} {}\n", caution("warning:"), warning);
  const std::string name = unquoted(flat.name), title = flat.description;
  auto compiled = compile_minimisation(std::move(flat), {.objective = request.objective, .maximise = request.maximise});
  if (!compiled.ok()) throw Stop(ExitCode::model_structure, text.render(Severity::error, compiled.errors));
  ModelMinimisation& problem = *compiled.minimisation;
  AnalysisWatch watch(request);
  Minimum minimum = watch.value_of(minimise(problem.problem, problem.start, options_from(request, watch.execution())));
  FoundMinimum found{std::move(text),   name, title, request.objective, request.maximise, std::move(problem),
                     std::move(minimum)};
  found.values.resize(found.problem.variables.size());
  found.problem.values(found.minimum.u, found.values);
  return found;
}

ExitCode run(const MinimiseRequest& request) {
  ArticleFile page(request.report);
  const FoundMinimum found = find(request);
  if (request.json)
    answer(as_json(request, found));
  else
    print(request, found);
  if (page) page.write(minimise_article(found), request.json);
  for (const std::string& message : violated_bounds(found))
    say(stderr, "{} {}; bounds are not constraints here: state x >= a as x = a + s^2\n", caution("warning:"), message);
  const std::vector<Finding> failed = found.problem.failed_asserts(found.minimum.u);
  if (failed.empty()) return ExitCode::ok;
  print_failure(found.text.render(Severity::error, failed), ExitCode::assertion_failed);
  return ExitCode::assertion_failed;
}

std::vector<Option> options_of(MinimiseRequest& request) {
  const std::string problem = "The problem", method = "Method and limits";
  return {
      option("--objective NAME", &request.objective,
             "the variable that shall be as small as possible (default: objective)", problem),
      option("--maximise", &request.maximise, "as large as possible instead", problem),
      tableau_option(
          "--method NAME", &request.method,
          "follow the flow with fixed steps of this tableau, such as radau-iia-2 or hem3 (default: adaptive)", method),
      option("--step-size H", &request.step_size, "of --method", method),
      option("--rtol TOL", &request.rtol,
             "of the adaptive flow (default: 1e-6); the minimum is refined to rounding in any case", method),
      option("--step-limit N", &request.step_limit, "give up after so many steps (default: 100000)", method),
      option("--bound R", &request.bound, "beyond |u| = R there is no minimum (default: 1e8)", method),
      option("--keep-saddle", &request.keep_saddle,
             "report a saddle where the flow comes to rest, instead of leaving it downhill", method)};
}

}  // namespace

Command analyse_minimise_command() {
  const auto request = std::make_shared<MinimiseRequest>();
  return {
      .name = "analyse minimise",
      .summary = "constrained minimum of a variable, with multipliers",
      .details =
          "Follows the gradient flow on the constraints, u' = -grad - Dg^T lambda, 0 = g(u), to its "
          "equilibrium: a local minimum with its Lagrange multipliers.\n"
          "The model has fewer equations than variables and no der(). Variables without a start value that "
          "an equation gives explicitly, the objective for instance, are computed; all others are chosen, "
          "beginning at their start values, and the other equations are constraints.",
      .examples =
          "driftless analyse minimise box.mo --objective volume --maximise\n"
          "driftless analyse minimise box.mo --objective volume --maximise --report box.html   # the way there\n"
          "driftless analyse minimise truss.mo --objective weight --set load=2e4 --json",
      .options = one_after_another({model_options(request->model), options_of(*request), execution_options(*request)}),
      .run = [request] { return run(*request); }};
}

}  // namespace driftless::cli
