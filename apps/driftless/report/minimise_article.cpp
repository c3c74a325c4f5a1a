#include "apps/driftless/report/minimise_article.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/output/describe.h"
#include "apps/driftless/report/thin_rows.h"

namespace driftless::cli {

namespace {

using Reached = DescentPoint::Reached;
constexpr std::size_t most_path_points = 5000;  // of the path, in a page

std::string ten_digits(double x) { return fmt::format("{:.10g}", x + 0.0); }

std::vector<std::string> chosen_names(const FoundMinimum& found) {
  std::vector<std::string> names;
  for (const auto& variable : found.problem.variables)
    if (variable.chosen) names.push_back(unquoted(variable.name));
  return names;
}

Section summary(const FoundMinimum& found) {
  const Minimum& minimum = found.minimum;
  const double sign = found.problem.sign;
  Section section{.id = "summary",
                  .title = "Summary",
                  .what = fmt::format("{} to choose, {}.", counted(minimum.u.size(), "variable", "variables"),
                                      counted(minimum.multipliers.size(), "constraint", "constraints"))};
  const bool extremum = minimum.strict();
  section.remarks.push_back(
      {extremum ? "good" : "note",
       fmt::format("{} = {:.12g}, from {:.6g} at the feasible start: a {}.", found.objective,
                   sign * minimum.objective + 0.0, sign * minimum.start_objective + 0.0, kind_of(found))});
  section.remarks.push_back(
      {"good", fmt::format("The constraints hold to {:.2g}, the condition for an extremum to {:.2g}.",
                           minimum.constraint_residual, minimum.gradient_residual)});
  section.remarks.push_back({"note", fmt::format("{} of the gradient flow, {} of Newton's method.",
                                                 counted(minimum.flow_steps, "step", "steps"),
                                                 counted(minimum.newton_iterations, "iteration", "iterations"))});
  if (minimum.saddles_left > 0)
    section.remarks.push_back(
        {"note", fmt::format("On the way it came to rest at {} and went on downhill.",
                             counted(static_cast<std::size_t>(minimum.saddles_left), "saddle", "saddles"))});
  for (const std::string& message : violated_bounds(found)) section.remarks.push_back({"bad", message + "."});
  return section;
}

struct Path {
  std::vector<const DescentPoint*> points;  // thinned evenly
  std::size_t total = 0;
};

Path path_of(const FoundMinimum& found) {
  Path path{.points = {}, .total = found.minimum.path.size()};
  for (const std::size_t row : rows_evenly(path.total, most_path_points))
    path.points.push_back(&found.minimum.path[row]);
  return path;
}

template <class Value>
Curve over_steps(const Path& path, const std::string& label, Value&& value) {
  Curve curve{.label = label};
  for (std::size_t k = 0; k < path.points.size(); ++k) {
    const std::size_t row = path.points.size() < 2 ? 0 : k * (path.total - 1) / (path.points.size() - 1);
    curve.x.push_back(static_cast<double>(row));
    curve.y.push_back(value(*path.points[k]));
  }
  return curve;
}

// Where Newton's method took over, or a saddle was left: marks on the curve of the objective.
void mark(const Path& path, Reached by, const std::string& label, const Curve& curve, Picture& picture) {
  Curve marks{.label = label, .style = Curve::Style::points};
  for (std::size_t k = 0; k < path.points.size(); ++k)
    if (path.points[k]->by == by) {
      marks.x.push_back(curve.x[k]);
      marks.y.push_back(curve.y[k]);
    }
  if (!marks.x.empty()) picture.curves.push_back(std::move(marks));
}

Section way(const FoundMinimum& found) {
  const Path path = path_of(found);
  const double sign = found.problem.sign;
  Picture objective{.title = "Objective", .x = "step"},
      gradient{.title = "How far from an extremum", .x = "step", .log_y = true},
      variables{.title = "Variables", .x = "step"};
  objective.curves.push_back(
      over_steps(path, found.objective, [&](const DescentPoint& p) { return sign * p.objective; }));
  const Curve line = objective.curves[0];
  mark(path, Reached::newton, "Newton's method", line, objective);
  mark(path, Reached::left_saddle, "a saddle was left", line, objective);
  gradient.curves.push_back(
      over_steps(path, "gradient along the constraints", [](const DescentPoint& p) { return p.gradient; }));
  if (!found.minimum.multipliers.empty())
    gradient.curves.push_back(
        over_steps(path, "residual of the constraints", [](const DescentPoint& p) { return p.constraint; }));
  const auto names = chosen_names(found);
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 14); ++i)
    variables.curves.push_back(over_steps(path, names[i], [i](const DescentPoint& p) { return p.u[i]; }));
  if (names.size() > 14) variables.note = fmt::format("The first 14 of {}.", names.size());
  Section section{.id = "way", .title = "The way there", .pictures = {objective, gradient, variables}};
  if (names.size() > 1) {
    Table table;
    for (std::size_t i = 0; i < names.size(); ++i) {
      Vector values;
      for (const DescentPoint* point : path.points) values.push_back(point->u[i]);
      table.add(names[i], std::move(values));
    }
    section.clouds = Clouds{.title = "Path",
                            .note = "The circle is the feasible start, the square the extremum.",
                            .joined = true,
                            .sets = {{"path", std::move(table)}}};
  }
  return section;
}

Section values(const FoundMinimum& found) {
  ArticleTable variables{.title = "Variables",
                         .columns = {{"variable", false}, {"value"}, {"unit", false}, {"", false}}};
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const auto& variable = found.problem.variables[i];
    variables.rows.push_back({unquoted(variable.name), ten_digits(found.values[i]), variable.unit,
                              variable.chosen
                                  ? variable.description
                                  : "computed" + (variable.description.empty() ? "" : "; " + variable.description)});
  }
  Section section{.id = "values", .title = "Values", .tables = {variables}};
  if (found.problem.constraints.empty()) return section;
  ArticleTable constraints{.title = "Constraints",
                           .columns = {{"constraint", false}, {"line"}, {"multiplier"}, {"off by"}}};
  const Vector residuals = residuals_of(found);
  for (std::size_t k = 0; k < residuals.size(); ++k)
    constraints.rows.push_back(
        {found.problem.constraints[k].text, std::to_string(found.problem.constraints[k].place.line),
         ten_digits(found.problem.sign * found.minimum.multipliers[k]), fmt::format("{:.2g}", std::abs(residuals[k]))});
  section.tables.push_back(std::move(constraints));
  ArticleTable curvatures{
      .title = "Curvatures along the constraints", .columns = {{"", false}, {"curvature"}}, .folded = true};
  for (std::size_t k = 0; k < found.minimum.curvatures.size(); ++k)
    curvatures.rows.push_back({std::to_string(k + 1), ten_digits(found.problem.sign * found.minimum.curvatures[k])});
  section.tables.push_back(std::move(curvatures));
  return section;
}

}  // namespace

std::string kind_of(const FoundMinimum& found) {
  const char* extremum = found.maximise ? "maximum" : "minimum";
  const Vector& curvatures = found.minimum.curvatures;
  if (found.minimum.strict()) return fmt::format("strict {}", extremum);
  return curvatures.front() < -1e-8 ? "saddle" : fmt::format("{}, perhaps not strict", extremum);
}

std::vector<std::string> violated_bounds(const FoundMinimum& found) {
  std::vector<std::string> messages;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const ModelMinimisation::Variable& variable = found.problem.variables[i];
    const double x = found.values[i], slack = 1e-9 * (1.0 + std::abs(x));
    if (variable.min && x < *variable.min - slack)
      messages.push_back(fmt::format("{} = {:.6g} is below its min of {:.6g}", variable.name, x, *variable.min));
    if (variable.max && x > *variable.max + slack)
      messages.push_back(fmt::format("{} = {:.6g} is above its max of {:.6g}", variable.name, x, *variable.max));
  }
  return messages;
}

Vector residuals_of(const FoundMinimum& found) {
  Vector residuals(found.problem.constraints.size());
  found.problem.problem.functions().constraint(found.minimum.u, residuals);
  return residuals;
}

Article minimise_article(const FoundMinimum& found) {
  return {.title = found.name,
          .subtitle = fmt::format("{} of {}{}", found.maximise ? "maximum" : "minimum", found.objective,
                                  found.title.empty() ? "" : ": " + found.title),
          .sections = {
              summary(found), way(found), values(found), {.id = "model", .title = "Model", .text = found.text.text}}};
}

}  // namespace driftless::cli
