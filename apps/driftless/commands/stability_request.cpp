#include "apps/driftless/commands/stability_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/commands/model_options.h"
#include "apps/driftless/program/names.h"

namespace driftless::cli {

namespace {

double number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || std::isnan(value))
    throw Stop(ExitCode::usage, fmt::format("{}: '{}' is not a number", option, text));
  return value;
}

// Parts between commas that are not inside brackets: x[1,2]=0:1,y=0:2.
std::vector<std::string> parts_of(const std::vector<std::string>& lists) {
  std::vector<std::string> parts;
  for (const std::string& list : lists) {
    int depth = 0;
    parts.emplace_back();
    for (const char letter : list) {
      depth += (letter == '[') - (letter == ']');
      if (letter == ',' && depth == 0)
        parts.emplace_back();
      else
        parts.back() += letter;
    }
  }
  return parts;
}

std::size_t find_unknown(const std::string& option, const std::string& name, const Names& unknowns) {
  const auto found = std::find(unknowns.begin(), unknowns.end(), name);
  if (found == unknowns.end())
    throw Stop(ExitCode::usage, fmt::format("{}: '{}' is not one of the unknowns that the solver sees{}\n  known:  {}",
                                            option, name, perhaps(name, unknowns), fmt::join(unknowns, ", ")));
  return static_cast<std::size_t>(found - unknowns.begin());
}

}  // namespace

PerturbationSizes StabilityRequest::perturbation() const {
  const PerturbationSizes sizes{perturb_start.value_or(0.0), perturb_differential.value_or(0.0),
                                perturb_constraint.value_or(0.0)};
  for (const double size : {sizes.start, sizes.differential, sizes.constraint})
    if (!(size >= 0.0)) throw Stop(ExitCode::usage, "sizes of perturbations cannot be negative");
  return sizes;
}

Interval interval_from(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw Stop(ExitCode::usage, fmt::format("{}: '{}' is no interval; write LOW:HIGH", option, text));
  const double low = number(option, text.substr(0, colon)), high = number(option, text.substr(colon + 1));
  if (!(low <= high)) throw Stop(ExitCode::usage, fmt::format("{}: {} is above {}", option, low, high));
  return {low, high};
}

Index1 index1_of(const Model& model, const Equations& equations) {
  if (const auto* form = std::get_if<Index1>(&equations)) return *form;
  throw Stop(ExitCode::model_structure,
             fmt::format("{} has index {}: stability by logarithmic norms is for models of index 1\n  try:   driftless "
                         "analyse manifold, for constraints of index 2",
                         model.name, index_of(equations)));
}

Names differential_names(const Index1& form) {
  Names names;
  std::vector<char> moves(form.size(), 0);
  for (const auto& entry : form.parts().p.entries()) moves[entry.row] = 1;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (moves[i]) names.push_back(form.layout().name(i));
  return names;
}

Norm norm_from(const StabilityRequest& request, const Names& unknowns) {
  Norm plain = norm_from(request.norm, unknowns);
  const auto parts = parts_of(request.weights);
  if (parts.empty()) return plain;
  if (plain.is_transformed())
    throw Stop(ExitCode::usage, "--weight goes with --norm 1, 2 or inf; a norm by a matrix has weights of its own");
  Vector weights(unknowns.size(), 1.0);
  for (const std::string& part : parts) {
    const Setting setting = setting_from(part);
    weights[find_unknown("--weight", setting.name, unknowns)] = number("--weight", setting.value);
  }
  return Norm::weighted(plain.kind(), weights);
}

std::string norm_source(const StabilityRequest& request, const Names& unknowns) {
  const std::string text = request.norm.text();
  return text.empty() ? "" : fmt::format("{}, x = ({})", text, fmt::join(unknowns, ", "));
}

Box box_from(const StabilityRequest& request, const Names& unknowns, Interval time) {
  std::vector<std::optional<Interval>> sides(unknowns.size());
  std::optional<Interval> others;
  for (const std::string& part : parts_of(request.box)) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos)
      others = interval_from("--box", part);
    else
      sides[find_unknown("--box", part.substr(0, equals), unknowns)] = interval_from("--box", part.substr(equals + 1));
  }
  Box box{.t = time};
  Names missing;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (!sides[i] && !others) missing.push_back(unknowns[i]);
    box.x.push_back(sides[i].value_or(others.value_or(Interval(0.0))));
  }
  if (!missing.empty())
    throw Stop(
        ExitCode::usage,
        fmt::format("--box says nothing about {}\n  try:   --box {}=LOW:HIGH, or --box LOW:HIGH for all that are "
                    "not named",
                    fmt::join(missing, ", "), missing[0]));
  return box;
}

std::vector<Option> stability_options(StabilityRequest& request) {
  std::vector<Option> options = model_options(request.model);
  const std::string where = "Where", what = "What", output = "Output";
  const auto add = [&](Option option) { options.push_back(std::move(option)); };
  add(option("--box NAME=LOW:HIGH", &request.box,
             "everywhere in a box of states: intervals of the unknowns, separated by commas; LOW:HIGH alone is for "
             "all that are not named",
             where));
  add(option("--time LOW:HIGH", &request.time, "times of the box (default: those of the model)", where));
  add(option("--along", &request.along, "along the solution, in a tube around it", where));
  add(option("--t-end T", &request.t_end, "end of the solution (default: the model's StopTime)", where));
  add(option("--tube R", &request.tube, "radius of the tube: how large deviations may be (default: 0.001)", where));
  for (Option& option : norm_options(request.norm)) add(std::move(option));
  add(option("--weight NAME=W", &request.weights, "weights of unknowns in the norm (default: 1)", what));
  add({.name = "--constraint",
       .target = &request.constraint,
       .value = "HOW",
       .text = "as-written; scaled, by Newton's matrix; auto: scaled if its monotonicity does not show otherwise",
       .group = what,
       .choices = {"auto", "as-written", "scaled"}});
  add(option("--perturb-start SIZE", &request.perturb_start, "bound what a deviation of this size at the start does",
             what));
  add(option("--perturb-differential SIZE", &request.perturb_differential,
             "the same for a perturbation of the differential equations at all times", what));
  add(option("--perturb-constraint SIZE", &request.perturb_constraint, "the same for a perturbation of the constraint",
             what));
  add(option("--boxes N", &request.boxes,
             "how many parts of the box are looked at, at most, for each constant (default: 2000)", what));
  add(option("--accuracy E", &request.accuracy, "relative width of the enclosures that is good enough (default: 1e-6)",
             what));
  add(option("--rtol TOL", &request.rtol, "relative tolerance of the solution (default: the model's, or 1e-6)", what));
  add(option("--json", &request.json, "one JSON object", output));
  add({.name = "--csv",
       .target = &request.csv,
       .value = "FILE",
       .text = "bounds and rates over time, for a picture",
       .group = output,
       .file_endings = {".csv"}});
  add(report_option(request.report));
  return options;
}

}  // namespace driftless::cli
