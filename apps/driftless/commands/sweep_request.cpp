#include "apps/driftless/commands/sweep_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/model/matrix_file.h"
#include "apps/driftless/model/model_text.h"
#include "apps/driftless/model/text_file.h"
#include "apps/driftless/output/json_text.h"
#include "apps/driftless/output/sha256.h"
#include "apps/driftless/program/limits.h"
#include "driftless/simulate/output_times.h"

namespace driftless::cli {

namespace {

// Plain settings stay; what is varied goes into the design.
DesignOptions design_of(const SweepRequest& request, std::vector<Setting>& plain) {
  DesignOptions design{.combination = request.combine == "step" ? Combination::in_step : Combination::grid,
                       .samples = request.samples.value_or(0),
                       .seed = request.seed.value_or(0)};
  design.sampling = request.sampling == "sobol"    ? SampleRule::sobol
                    : request.sampling == "random" ? SampleRule::random
                                                   : SampleRule::latin;
  for (const std::string& text : request.solve.model.set) {
    if (auto variation = variation_from(text))
      design.variations.push_back(*std::move(variation));
    else
      plain.push_back(setting_from(text));
  }
  if (request.set_file.empty()) return design;
  const MatrixFile file = read_matrix(request.set_file);
  if (file.names.empty())
    throw Stop(ExitCode::file,
               fmt::format("{}: its first line must have the names of what the columns are values of", file.path));
  design.table_names.assign(file.names.begin(), file.names.end());
  for (std::size_t i = 0; i < file.values.rows(); ++i) {
    Vector row(file.values.cols());
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = file.values(i, j);
    design.table.push_back(std::move(row));
  }
  return design;
}

// A start value can be varied if the model is made with one.
TextModel model_for(const SweepRequest& request, std::vector<Setting> settings, const StudyDesign& design) {
  const std::string& source = request.solve.model.source;
  if (source.starts_with(problem_prefix))
    throw Stop(ExitCode::usage, fmt::format("{}: sweep takes model files, for only they have parameters by name\n  "
                                            "try:   the problem's file among the examples (examples/models)",
                                            source));
  const ModelText text = read_model_text(source);
  TextModel model(text, settings, StateUnits::nominal, limits().reading);
  const Parameters parameters = model.parameters();
  const Names& known = parameters.names();
  const Vector first = design.values(0);
  const std::size_t before = settings.size();
  for (std::size_t k = 0; k < design.names().size(); ++k)
    if (std::ranges::find(known, design.names()[k]) == known.end())
      settings.push_back({design.names()[k], fmt::format("{}", first[k])});
  if (settings.size() == before) return model;
  return TextModel(text, settings, StateUnits::nominal, limits().reading);
}

// Commas inside parentheses belong to a name: "x[1,2]", "time(max(x, y) > 1)".
std::vector<std::string> items_in(const std::string& list) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char letter : list) {
    depth += static_cast<int>(letter == '(' || letter == '[') - static_cast<int>(letter == ')' || letter == ']');
    if (letter == ',' && depth == 0)
      items.emplace_back();
    else if (letter != ' ' || !items.back().empty())
      items.back() += letter;
  }
  for (std::string& item : items) item.erase(item.find_last_not_of(' ') + 1);
  return items;
}

std::vector<Measure> measures_of(const SweepRequest& request, const TextModel& model) {
  std::vector<Measure> measures;
  if (request.show.empty())
    for (const ResultColumn& result : model.results) measures.push_back({.name = result.name, .text = result.name});
  else
    for (const std::string& item : items_in(request.show)) {
      if (item.empty()) throw Stop(ExitCode::usage, fmt::format("--show {}: an item is empty", request.show));
      measures.push_back(measure_from(item));
    }
  return measures;
}

std::vector<ResultColumn> columns_of(const Study& study) {
  std::vector<ResultColumn> columns;
  for (const std::string& name : study.design.names()) {
    const auto& parameters = study.model.compiled().flat().parameters;
    const auto known = std::ranges::find_if(
        parameters, [&](const FlatParameter& one) { return one.name == name || unquoted(one.name) == name; });
    columns.push_back(
        {name, known == parameters.end() ? "" : known->unit, known == parameters.end() ? "" : known->description});
  }
  for (const Measure& measure : study.measures) {
    ResultColumn column{measure.text, "", ""};
    if (measure.kind == Measure::Kind::time_of_event) {
      column.unit = "s";
    } else {
      const Recording known(study.model.results);
      column.unit = known.columns[known.column(measure.name)].unit;
      column.description = known.columns[known.column(measure.name)].description;
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

// Rows at which extremes are looked for: a run for a study keeps nothing else.
Vector row_times(const SweepRequest& request, const driftless::Model& model, const TimeSpan& span) {
  if (request.solve.interval) return times_every(*request.solve.interval, span);
  if (!request.solve.grid && model.interval) return times_every(*model.interval, span);
  return times_of_grid(request.solve.grid.value_or(usual_rows), span);
}

}  // namespace

Study study_of(const SweepRequest& request) {
  std::vector<Setting> plain;
  StudyDesign design(design_of(request, plain));
  TextModel model = model_for(request, plain, design);
  std::vector<Measure> measures = measures_of(request, model);
  SolveRequest one = request.solve;
  one.model.set.clear();
  const Plan plan = make_plan(one, model);
  Study study{.model = std::move(model), .design = std::move(design), .measures = std::move(measures)};
  study.options.simulate.solve = plan.options;
  study.options.simulate.verify = plan.verify != Plan::Verify::no;
  study.options.rows = row_times(request, study.model, plan.options.span);
  Json varied = Json::array(), shown = Json::array();
  for (const std::string& text : request.solve.model.set) varied.push_back(text);
  for (const Measure& measure : study.measures) shown.push_back(measure.text);
  const Json what = {{"version", DRIFTLESS_VERSION},
                     {"model_hash", "sha256:" + hash_of(study.model.text())},
                     {"set", varied},
                     {"set_file", request.set_file.empty() ? "" : sha256(read_text_file(request.set_file))},
                     {"combine", request.combine},
                     {"samples", request.samples.value_or(0)},
                     {"sampling", request.sampling},
                     {"seed", request.seed.value_or(0)},
                     {"rows", study.options.rows.size()},
                     {"interval", request.solve.interval.value_or(0.0)},
                     {"show", shown},
                     {"options", plan.in_force}};
  study.identity = sha256(json_text(what));
  study.results.about = {{"program", "driftless"},
                         {"model", study.model.name},
                         {"title", study.model.title},
                         {"source", request.solve.model.source},
                         {"study", study.identity}};
  study.results.about.update(what);
  study.results.columns = columns_of(study);
  study.results.varied = study.design.names().size();
  study.results.total = study.design.size();
  study.results.about["total"] = study.results.total;
  study.results.about["varied"] = study.design.names();
  return study;
}

}  // namespace driftless::cli
