#include "apps/driftless/report/step_errors_article.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::cli {

namespace {

Section summary(const StepErrors& found) {
  Section section{.id = "summary", .title = "Summary"};
  for (const std::string& sentence : found.sentences) section.remarks.push_back({"note", sentence});
  section.remarks.front().kind = found.bounded() == found.errors.size() ? "good" : "bad";
  return section;
}

Section errors(const StepErrors& found) {
  Curve p{.label = "|P e|, measured"}, q{.label = "|Q e|, measured"};
  Curve p_bound{.label = "its bound", .style = Curve::Style::guide}, q_bound = p_bound;
  for (const StepError& one : found.errors) {
    for (Curve* curve : {&p, &q}) curve->x.push_back(one.time);
    p.y.push_back(one.p);
    q.y.push_back(one.q);
    if (!one.p_bound) continue;
    for (Curve* curve : {&p_bound, &q_bound}) curve->x.push_back(one.time);
    p_bound.y.push_back(*one.p_bound);
    q_bound.y.push_back(*one.q_bound);
  }
  Section section{.id = "errors", .title = "Errors beside their bounds"};
  const auto add = [&](const char* title, Curve& curve, Curve& bound) {
    Picture picture{.title = title, .log_y = true, .curves = {std::move(curve)}};
    if (!bound.x.empty()) picture.curves.push_back(std::move(bound));
    section.pictures.push_back(std::move(picture));
  };
  add("Error of the differential part", p, p_bound);
  if (found.has_constraint()) add("Error of the algebraic part", q, q_bound);
  return section;
}

}  // namespace

Article step_errors_article(const Model& model, const StepErrors& found) {
  std::vector<std::pair<std::string, std::string>> setting = {
      {"model", model.name},
      {"source", model.source},
      {"method", fmt::format("{}, {} steps of {:.6g}", found.method, found.errors.size(), found.h)},
      {"norm", found.norm_source.empty() ? found.norm : fmt::format("{}: {}", found.norm, found.norm_source)},
      {"P x", fmt::format("{}", fmt::join(found.differential, ", "))}};
  for (std::size_t i = 0; i < found.unknowns.size(); ++i)
    setting.emplace_back(found.unknowns[i],
                         fmt::format("[{:g}, {:g}]", found.box.x[i].lower(), found.box.x[i].upper()));
  return {
      .title = model.name,
      .subtitle = "errors of fixed steps" + (model.title.empty() ? "" : ": " + model.title),
      .sections = {summary(found), errors(found), {.id = "options", .title = "Options", .tables = {facts(setting)}}}};
}

}  // namespace driftless::cli
