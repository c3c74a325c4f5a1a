#include "apps/driftless/report/attractor_article.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/output/describe.h"
#include "apps/driftless/report/thin_rows.h"

namespace driftless::cli {

namespace {

constexpr std::size_t most_points = 5000;  // of one set in a page
constexpr double equilibrium_rounding = 1e-10;

bool usable(const AttractorStudy::Row& row) { return !row.failure && std::isfinite(row.distance); }

Remark rate_remark(const AttractorStudy& study) {
  if (const auto within = agreement(study))
    return {"good", fmt::format("The sets of the method agree with that of the equations to within {:.1e}.", *within)};
  if (study.rate.used < 2)
    return {"note",
            "No rate: fewer than two distances are above the gaps between samples. More starts and samples, larger "
            "step sizes or a section show more."};
  if (!(study.rate.order > 0.2))
    return {"bad",
            fmt::format("The Hausdorff distance does not fall with the step size: rate {:.2f} from {}. Distances "
                        "that are hardly above the gap between samples say little.",
                        study.rate.order, counted(study.rate.used, "step size", "step sizes"))};
  return {"good", fmt::format("The Hausdorff distance to the attracting set of the equations falls like h^{:.2f} ({}).",
                              study.rate.order, counted(study.rate.used, "step size", "step sizes"))};
}

Remark constraint_remark(const AttractorStudy& study) {
  double residual = 0.0;
  for (const auto& row : study.rows)
    if (usable(row)) residual = std::max(residual, row.residual);
  return residual < equilibrium_rounding
             ? Remark{"good",
                      fmt::format("The sets of the method lie on the constraint: |g| is at most {:.1e}.", residual)}
             : Remark{"bad", fmt::format("The sets of the method are off the constraint by up to {:.1e}.", residual)};
}

Section summary(const Index2Start& start, const AttractorFindings& findings) {
  Section section{
      .id = "summary",
      .title = "Summary",
      .what = fmt::format("{}. Method: {}{}.", describe_form(start.equations), findings.method,
                          findings.underlying_ode ? ", on the underlying ODE: the constraint is left out" : "")};
  if (findings.of_dae) section.remarks.push_back({"note", "It settles on: " + kind_text(*findings.of_dae) + "."});
  if (findings.of_method)
    section.remarks.push_back({"note", fmt::format("The method with h = {:.6g}: {}.", findings.smallest_step,
                                                   kind_text(*findings.of_method))});
  if (!findings.study) return section;
  section.remarks.push_back(rate_remark(findings.across ? *findings.across : *findings.study));
  if (findings.across)
    section.remarks.push_back({"note", "Distances are compared on planes across the orbit, where it is one point."});
  if (findings.study->leaves_out_inside()) section.remarks.push_back({"note", inside_note});
  section.remarks.push_back(constraint_remark(*findings.study));
  for (const auto& row : findings.study->rows)
    if (row.failure || !row.settled())
      section.remarks.push_back(
          {row.failure ? "bad" : "note", fmt::format("h = {:.6g}: {}.", row.step_size, remark(row, *findings.study))});
  return section;
}

Picture distance_picture(const AttractorStudy& study) {
  using Style = Curve::Style;
  Curve distance{.label = "Hausdorff distance", .style = Style::points, .color = 0};
  Curve fit{.label = fmt::format("fit, h^{:.2f}", study.rate.order), .style = Style::guide, .color = 0};
  Curve outward{.label = "outward: how far the method's set reaches away", .color = 1};
  Curve inward{.label = "inward: how much of the set it misses", .color = 2};
  Curve gap{.label = "gap between samples: below it nothing can be seen", .style = Style::guide, .color = 6};
  for (auto row = study.rows.rbegin(); row != study.rows.rend(); ++row) {
    if (!usable(*row)) continue;
    const double h = row->step_size;
    const std::pair<Curve*, double> values[] = {{&distance, row->distance},
                                                {&outward, row->outward},
                                                {&inward, row->inward},
                                                {&gap, study.floor(*row)},
                                                {&fit, study.rate.factor * std::pow(h, study.rate.order)}};
    for (const auto& [curve, y] : values) {
      curve->x.push_back(h);
      curve->y.push_back(y);
    }
  }
  Picture picture{.title = "Hausdorff distance against the step size",
                  .x = "h",
                  .log_x = true,
                  .log_y = true,
                  .curves = {distance}};
  if (study.rate.used >= 2) picture.curves.push_back(fit);
  for (const Curve& curve : {outward, inward, gap}) picture.curves.push_back(curve);
  return picture;
}

ArticleTable distance_table(const AttractorStudy& study) {
  ArticleTable table{
      .title = "Distances",
      .columns = {{"h"}, {"distance"}, {"outward"}, {"inward"}, {"gap"}, {"drift"}, {"|g(u)|"}, {"", false}}};
  for (const auto& row : study.rows)
    table.rows.push_back({fmt::format("{:.6g}", row.step_size), short_number(row.distance), short_number(row.outward),
                          short_number(row.inward), short_number(row.gap), short_number(row.drift),
                          short_number(row.residual), remark(row, study)});
  return table;
}

Table columns_of(const Index2Start& start, const PointCloud& points) {
  Table table;
  const auto kept = rows_evenly(points.size(), most_points);
  for (std::size_t i = 0; i < points.dimension; ++i) {
    Vector values;
    for (const std::size_t row : kept) values.push_back(points.point(row)[i]);
    table.add(start.equations.layout().name(i), std::move(values));
  }
  return table;
}

Clouds sets_of(const Index2Start& start, const AttractorStudy& study) {
  std::size_t most = study.reference.size();
  Clouds clouds{.title = "The sets themselves", .note = ""};
  clouds.sets.emplace_back("the equations", columns_of(start, study.reference));
  for (const auto& row : study.rows) {
    if (!usable(row) || row.points.size() == 0) continue;
    clouds.sets.emplace_back(fmt::format("h = {:.6g}", row.step_size), columns_of(start, row.points));
    most = std::max(most, row.points.size());
  }
  clouds.note = "Drag to zoom; the legend switches sets on and off.";
  if (most > most_points)
    clouds.note += fmt::format(" Shown: {} of {} points of a set, evenly chosen.", most_points, most);
  return clouds;
}

}  // namespace

Article attractor_article(const Model& model, const Index2Start& start, const AttractorFindings& findings) {
  Article article{.title = model.name,
                  .subtitle = "attracting sets" + (model.title.empty() ? "" : ": " + model.title),
                  .sections = {summary(start, findings)}};
  if (findings.study) {
    article.sections.push_back({.id = "distances",
                                .title = "Distances",
                                .pictures = {distance_picture(*findings.study)},
                                .tables = {distance_table(*findings.study)}});
    if (findings.study->reference.dimension > 1)
      article.sections.push_back({.id = "sets", .title = "Sets", .clouds = sets_of(start, *findings.study)});
  }
  article.sections.push_back({.id = "options",
                              .title = "Options",
                              .tables = {facts({{"model", model.name},
                                                {"source", model.source},
                                                {"method", findings.method},
                                                {"equations", describe_form(start.equations)}})}});
  return article;
}

}  // namespace driftless::cli
