#include "apps/driftless/commands/analysis_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/model/tableau_file.h"
#include "apps/driftless/program/exit_codes.h"
#include "apps/driftless/program/names.h"
#include "driftless/core/number_text.h"

namespace driftless::cli {

Option report_option(std::string& target) {
  return {.name = "--report",
          .target = &target,
          .value = "FILE",
          .text = "a page with pictures, one HTML file that opens in a browser",
          .group = "Output",
          .file_endings = {".html"}};
}

std::vector<Option> execution_options(AnalysisRequest& request) {
  return {option("--threads N", &request.threads, "on N cores (default: all); the results are the same for every N",
                 "Other"),
          option("--json", &request.json, "one JSON object", "Output"), report_option(request.report)};
}

Index2Start index2_start(const Model& model, std::optional<double> time) {
  if (model.has_events())
    throw Stop(ExitCode::model_structure,
               fmt::format("{} has events, and the theory behind this analysis is for smooth equations", model.name));
  const Start start = model.start(time.value_or(model.begin));
  const Equations& equations = start.stretch.equations;
  return {index2_of(equations), start.stretch.begin,
          state_as_index2_of(equations, start.stretch.begin, start.stretch.start)};
}

std::vector<std::string> words_from(const std::string& list) {
  std::vector<std::string> words(1);
  for (const char letter : list) {
    if (letter == ',')
      words.emplace_back();
    else if (letter != ' ' || !words.back().empty())
      words.back() += letter;
  }
  for (std::string& word : words) word.erase(word.find_last_not_of(' ') + 1);
  return words;
}

Vector numbers_from(const std::string& option, const std::string& list) {
  Vector numbers;
  for (const std::string& word : words_from(list)) {
    const auto value = finite_number_in(word);
    if (!value)
      throw Stop(ExitCode::usage, fmt::format("{} wants numbers, separated by commas, not '{}'", option, list));
    numbers.push_back(*value);
  }
  return numbers;
}

Vector step_sizes_from(const std::string& list) {
  Vector sizes = numbers_from("--step-sizes", list);
  for (const double h : sizes)
    if (!(h > 0.0) || !std::isfinite(h))
      throw Stop(ExitCode::usage, fmt::format("--step-sizes: a step size is positive, and {} is not", h));
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  return sizes;
}

Tableau tableau_from(const std::string& name) {
  if (names_tableau_file(name)) return tableau_from_file(name);
  const auto known = tableau_names();
  const std::string wanted = canonical(name);
  if (std::find(known.begin(), known.end(), wanted) == known.end())
    throw Stop(ExitCode::usage, fmt::format("there is no tableau '{}'{}\n  try:   driftless methods", name,
                                            perhaps(wanted, {known.begin(), known.end()})));
  return tableau_by_name(wanted);
}

std::string short_number(double x) { return std::isnan(x) ? "-" : fmt::format("{:.3g}", x + 0.0); }

Option tableau_option(const std::string& spelled, Target target, std::string text, std::string group) {
  Option method = option(spelled, target, std::move(text), std::move(group));
  method.words = [] { return tableau_names(); };
  method.file_endings = {".json"};
  return method;
}

// A minus zero says nothing to the reader.
Json json_number(double x) { return std::isfinite(x) ? Json(x + 0.0) : Json(nullptr); }

Json json_numbers(ConstSpan values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(json_number(x));
  return list;
}

}  // namespace driftless::cli
