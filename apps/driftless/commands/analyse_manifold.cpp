// driftless analyse manifold: the invariant manifold of methods on a model, Theorem 2.1 of Schropp 2001, measured.
#include <fmt/format.h>

#include <memory>

#include "apps/driftless/commands/analysis_watch.h"
#include "apps/driftless/commands/commands.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/output/answer.h"
#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"
#include "apps/driftless/report/article_file.h"
#include "apps/driftless/report/manifold_article.h"

namespace driftless::cli {

namespace {

struct ManifoldRequest : AnalysisRequest {
  std::vector<std::string> methods;
  std::string step_sizes = "0.01,0.005,0.0025";
  std::optional<std::size_t> points, step_limit;
  std::optional<double> t_begin, t_end, disturbance;
};

std::vector<std::string> methods_of(const ManifoldRequest& request) {
  std::vector<std::string> names;
  for (const std::string& list : request.methods)
    for (const std::string& name : words_from(list)) names.push_back(name);
  if (!names.empty()) return names;
  return {"radau-iia-2", "radau-iia-3", "radau-ia-2", "lobatto-iiic-3", "sdirk-2-half", "hem3", "hem4", "hem5"};
}

void print(const Model& model, const Index2Start& start, const Vector& step_sizes,
           const std::vector<MeasuredManifold>& all) {
  using Align = TextTable::Align;
  say("{}{}\n\n", bold(model.name), model.title.empty() ? "" : ": " + model.title);
  say("{}\n", labelled("  equations", describe_form(start.equations), terminal_width(), 14));
  TextTable table({{"method"},
                   {"|R(inf)|", Align::right},
                   {"chi_h", Align::right},
                   {"promised", Align::right},
                   {"order", Align::right},
                   {"u rate", Align::right},
                   {"lambda rate", Align::right}});
  for (const auto& [method, study] : all) {
    const auto& finest = study.rows.back();
    table.add({method, fmt::format("{:.4g}", study.r_infinity), chi_text(finest.attractivity), promised_text(study),
               order_text(study.closeness), short_number(finest.phase.u_rate), short_number(finest.phase.lambda_rate)});
  }
  say("{}\n", table.text(2));
  std::vector<TextTable::Column> columns = {{"closeness at h ="}};
  for (const double h : step_sizes) columns.push_back({fmt::format("{:.6g}", h), Align::right});
  TextTable closeness(columns);
  for (const auto& [method, study] : all) {
    std::vector<std::string> row = {method};
    for (const auto& at_h : study.rows) row.push_back(fmt::format("{:.3e}", at_h.closeness));
    closeness.add(row);
  }
  say("{}\n", closeness.text(2));
  say("{}", wrapped("chi_h: the factor by which one step reduces a disturbance of the multiplier, at the smallest "
                    "h; 0: nothing is left but rounding. order: of the closeness |psi_0 - psi_0h|, beside what "
                    "the theorem promises. Rates: how a disturbed run approaches its partner, per step.",
                    terminal_width(), 2));
}

Json as_json(const ManifoldStudy::Row& row) {
  return {{"h", row.step_size},
          {"closeness", json_number(row.closeness)},
          {"rounding", json_number(row.rounding)},
          {"uncertainty", json_number(row.uncertainty)},
          {"chi", json_number(row.attractivity.chi)},
          {"chi_rounding", json_number(row.attractivity.rounding)},
          {"infinite_attractivity", row.attractivity.infinite()},
          {"distances", json_numbers(row.attractivity.distances)},
          {"phase",
           {{"partner", json_numbers(row.phase.partner)},
            {"u_distances", json_numbers(row.phase.u_distances)},
            {"lambda_distances", json_numbers(row.phase.lambda_distances)},
            {"u_rate", json_number(row.phase.u_rate)},
            {"lambda_rate", json_number(row.phase.lambda_rate)}}}};
}

Json as_json(const MeasuredManifold& one) {
  const ManifoldStudy& study = one.study;
  Json rows = Json::array();
  for (const auto& row : study.rows) rows.push_back(as_json(row));
  Json object = {{"method", one.method}, {"r_infinity", study.r_infinity}};
  if (study.promised.order) object["promised"] = {{"symbol", study.promised.symbol}, {"order", *study.promised.order}};
  object["closeness_order"] = json_number(study.closeness.order);
  object["chi_deviation_order"] = json_number(study.chi_deviation.order);
  object["rows"] = std::move(rows);
  return object;
}

Json as_json(const Model& model, const Index2Start& start, const std::vector<ManifoldPoint>& points,
             const std::vector<MeasuredManifold>& all) {
  Json methods = Json::array(), where = Json::array();
  for (const MeasuredManifold& one : all) methods.push_back(as_json(one));
  for (const ManifoldPoint& point : points) where.push_back({{"t", point.t}, {"state", json_numbers(point.state)}});
  return {{"status", "ok"},
          {"model", model.name},
          {"unknowns", start.equations.layout().names()},
          {"points", std::move(where)},
          {"methods", std::move(methods)}};
}

ExitCode run(const ManifoldRequest& request) {
  const Vector step_sizes = step_sizes_from(request.step_sizes);
  std::vector<std::pair<std::string, Tableau>> methods;
  for (const std::string& name : methods_of(request)) methods.emplace_back(name, tableau_from(name));
  const auto model = request.model.load();
  print_warnings(*model);
  const Index2Start start = index2_start(*model, request.t_begin);
  for (const auto& [name, tableau] : methods) make_stepper(start.equations, {.tableau = tableau});  // refused at once
  ArticleFile page(request.report);
  const double end = request.t_end.value_or(request.t_begin ? *request.t_begin + 1.0 : model->end);
  AnalysisWatch watch(request);
  const auto points =
      watch.value_of(points_along_solution(start.equations, start.time, end, start.state, request.points.value_or(3)));
  std::vector<MeasuredManifold> all;
  for (const auto& [name, tableau] : methods) {
    ManifoldStudyOptions options{
        .method = {.tableau = tableau}, .step_sizes = step_sizes, .points = points, .execution = watch.execution(name)};
    options.attractivity.disturbance = request.disturbance.value_or(options.attractivity.disturbance);
    options.step_limit = request.step_limit.value_or(options.step_limit);
    all.push_back({name, watch.value_of(study_manifold(start.equations, options))});
  }
  if (request.json)
    answer(as_json(*model, start, points, all));
  else
    print(*model, start, step_sizes, all);
  if (page) page.write(manifold_article(*model, start, points, all), request.json);
  return ExitCode::ok;
}

std::vector<Option> options_of(ManifoldRequest& request) {
  const std::string where = "Where", what = "What";
  return {
      tableau_option("--method NAMES", &request.methods,
                     "tableaux, by name or as FILE.json, separated by commas (default: radau-iia-2, radau-iia-3, "
                     "radau-ia-2, lobatto-iiic-3, "
                     "sdirk-2-half, hem3, hem4, hem5)",
                     what),
      option("--step-sizes LIST", &request.step_sizes, "separated by commas (default: 0.01,0.005,0.0025)", what),
      option("--disturbance D", &request.disturbance, "of the multiplier, relative to its size (default: 0.01)", what),
      option("--step-limit N", &request.step_limit,
             "give up after so many steps, back and forth, for one method and step size (default: two million)", what),
      option("--points N", &request.points, "at N points along the solution (default: 3)", where),
      option("--t-begin T", &request.t_begin, "time of the first point (default: the model's StartTime, or 0)", where),
      option("--t-end T", &request.t_end, "time of the last point (default: the model's StopTime, or 1)", where)};
}

}  // namespace

Command analyse_manifold_command() {
  const auto request = std::make_shared<ManifoldRequest>();
  return {
      .name = "analyse manifold",
      .summary = "invariant manifolds of methods, measured",
      .details =
          "A solution has multipliers lambda = psi_0(u, t), a method those of a manifold of its own, "
          "psi_0h(u, t), or it approaches them. This measures how fast (chi_h), how close the two are and "
          "with which order in h, and puts it beside what theory promises (docs/geometric.md).\n"
          "The model has index 2, or is a mechanism, which is stabilised after Gear, Gupta and Leimkuhler.",
      .examples =
          "driftless analyse manifold problem:mms_index2_gamma\n"
          "driftless analyse manifold swing.mo --method radau-iia-2,sdirk-2-half --points 5\n"
          "driftless analyse manifold swing.mo --step-sizes 0.02,0.01,0.005 --json\n"
          "driftless analyse manifold swing.mo --report manifold.html   # to look at",
      .options = one_after_another({model_options(request->model), options_of(*request), execution_options(*request)}),
      .run = [request] { return run(*request); }};
}

}  // namespace driftless::cli
