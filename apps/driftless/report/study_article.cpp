#include "apps/driftless/report/study_article.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/json_text.h"

namespace driftless::cli {

namespace {

constexpr std::size_t most_curves = 12, most_rows = 2000, most_pictures = 24;

struct Point {
  double x, y;
  std::size_t run;
};

// Runs that went well, in the order of one varied quantity; one curve for each choice of the others, if these are few.
std::vector<std::pair<std::string, std::vector<Point>>> families(const StudyResults& results, std::size_t varied,
                                                                 std::size_t shown) {
  std::vector<std::pair<std::string, std::vector<Point>>> all;
  for (const auto& [run, row] : results.rows) {
    if (!row.ok() || !std::isfinite(row.values[shown])) continue;
    std::string others;
    for (std::size_t k = 0; k < results.varied; ++k)
      if (k != varied)
        others += fmt::format("{}{} = {:.6g}", others.empty() ? "" : ", ", results.columns[k].name, row.values[k]);
    auto known = std::ranges::find(all, others, [](const auto& family) { return family.first; });
    if (known == all.end()) {
      if (all.size() == most_curves) return {};
      known = all.insert(all.end(), {others, {}});
    }
    known->second.push_back({row.values[varied], row.values[shown], run});
  }
  for (auto& [label, points] : all) std::ranges::sort(points, {}, &Point::x);
  return all;
}

std::vector<Point> cloud(const StudyResults& results, std::size_t varied, std::size_t shown) {
  std::vector<Point> all;
  for (const auto& [run, row] : results.rows)
    if (row.ok() && std::isfinite(row.values[shown])) all.push_back({row.values[varied], row.values[shown], run});
  std::ranges::sort(all, {}, &Point::x);
  return all;
}

Curve curve_of(const std::vector<Point>& points, const std::string& label, Curve::Style style) {
  Curve curve{.label = label, .style = style};
  for (const Point& point : points) {
    curve.x.push_back(point.x);
    curve.y.push_back(point.y);
    if (style == Curve::Style::points) curve.names.push_back(fmt::format("run {}", point.run));
  }
  return curve;
}

std::string with_unit(const ResultColumn& column) {
  return column.unit.empty() ? column.name : fmt::format("{} [{}]", column.name, column.unit);
}

Picture picture_of(const StudyResults& results, std::size_t varied, std::size_t shown) {
  const ResultColumn &x = results.columns[varied], &y = results.columns[shown];
  Picture picture{.title = fmt::format("{} over {}", y.name, x.name), .x = with_unit(x), .y = with_unit(y)};
  const auto curves = families(results, varied, shown);
  const auto is_curve = [](const auto& family) { return family.second.size() > 1; };
  if (!curves.empty() && std::ranges::all_of(curves, is_curve)) {
    for (const auto& [label, points] : curves)
      picture.curves.push_back(curve_of(points, label.empty() ? y.name : label, Curve::Style::line));
    return picture;
  }
  picture.plane = true;
  picture.curves.push_back(curve_of(cloud(results, varied, shown), "runs", Curve::Style::points));
  return picture;
}

Section pictures(const StudyResults& results) {
  Section section{.id = "pictures", .title = "Pictures"};
  for (std::size_t shown = results.varied; shown < results.columns.size(); ++shown)
    for (std::size_t varied = 0; varied < results.varied && section.pictures.size() < most_pictures; ++varied)
      if (statistics_of(results, shown).count > 0) section.pictures.push_back(picture_of(results, varied, shown));
  if (section.pictures.size() == most_pictures)
    section.what = fmt::format("the first {} of {}; the plane below has them all", most_pictures,
                               results.varied * (results.columns.size() - results.varied));
  return section;
}

Section plane(const StudyResults& results) {
  Table table;
  std::vector<Vector> columns(results.columns.size());
  for (const auto& [run, row] : results.rows)
    if (row.ok())
      for (std::size_t k = 0; k < columns.size(); ++k) columns[k].push_back(row.values[k]);
  for (std::size_t k = 0; k < columns.size(); ++k) table.add(results.columns[k].name, std::move(columns[k]));
  Section section{.id = "plane", .title = "Any two quantities"};
  section.clouds = Clouds{.title = "Runs", .note = "choose what is along the axes", .sets = {{"runs", table}}};
  return section;
}

Section summary(const StudyResults& results) {
  Section section{.id = "summary", .title = "Summary"};
  const std::size_t failed = results.failed();
  section.remarks.push_back(
      {failed == 0 ? "good" : "bad",
       failed == 0 ? fmt::format("{} went well.", counted(results.rows.size(), "run", "runs"))
                   : fmt::format("{} of {} runs failed; the table of runs says why.", failed, results.rows.size())});
  ArticleTable table{
      .title = "What is shown, over the runs that went well",
      .columns = {
          {"", false}, {"runs"}, {"mean"}, {"deviation"}, {"smallest"}, {"5 %"}, {"median"}, {"95 %"}, {"largest"}}};
  for (std::size_t k = results.varied; k < results.columns.size(); ++k) {
    const ColumnStatistics found = statistics_of(results, k);
    std::vector<std::string> row = {with_unit(results.columns[k]), fmt::format("{}", found.count)};
    for (const double x :
         {found.mean, found.deviation, found.smallest, found.low, found.median, found.high, found.largest})
      row.push_back(found.count == 0 ? "-" : fmt::format("{:.6g}", x));
    table.rows.push_back(std::move(row));
  }
  section.tables.push_back(std::move(table));
  return section;
}

Section runs(const StudyResults& results) {
  ArticleTable table{.title = "Runs", .columns = {{"run"}}, .folded = true};
  for (const ResultColumn& column : results.columns) table.columns.push_back({column.name});
  table.columns.push_back({"status", false});
  table.columns.push_back({"reason", false});
  for (const auto& [run, row] : results.rows) {
    if (table.rows.size() == most_rows) break;
    std::vector<std::string> cells = {fmt::format("{}", run)};
    for (const double x : row.values) cells.push_back(std::isnan(x) ? "" : fmt::format("{:.9g}", x));
    cells.push_back(row.status);
    cells.push_back(row.reason);
    table.rows.push_back(std::move(cells));
  }
  Section section{.id = "runs", .title = "All runs"};
  if (results.rows.size() > most_rows) section.what = fmt::format("the first {} of {}", most_rows, results.rows.size());
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

Article study_article(const StudyResults& results) {
  const auto text = [&](const char* key) {
    const auto found = results.about.find(key);
    return found == results.about.end() ? std::string()
           : found->is_string()         ? found->get<std::string>()
                                        : json_text(*found);
  };
  Section options{.id = "options", .title = "Options"};
  options.tables.push_back(facts({{"model", text("model")},
                                  {"source", text("source")},
                                  {"set", text("set")},
                                  {"combine", text("combine")},
                                  {"samples", text("samples")},
                                  {"sampling", text("sampling")},
                                  {"seed", text("seed")},
                                  {"options", text("options")},
                                  {"version", text("version")}}));
  return {.title = text("model"),
          .subtitle = fmt::format("a study of {}", counted(results.total, "run", "runs")),
          .sections = {summary(results), pictures(results), plane(results), runs(results), options}};
}

}  // namespace driftless::cli
