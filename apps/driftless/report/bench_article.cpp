#include "apps/driftless/report/bench_article.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "apps/driftless/model/text_file.h"
#include "apps/driftless/output/json_text.h"
#include "apps/driftless/program/exit_codes.h"

namespace driftless::cli {

namespace {

const std::vector<std::string> usual_errors = {"1e-04", "1e-06", "1e-08"};

// What an error is of, in the words of the file, and the columns of a row that it is the largest of.
struct Measure {
  const char *name, *title;
  std::vector<const char*> columns;
};
const std::vector<Measure>& kinds() {
  static const std::vector<Measure> all = {
      {"q", "positions", {"error_q"}},
      {"q, v and lambda", "positions, velocities and multipliers", {"error_q", "error_v", "error_lambda"}}};
  return all;
}

std::string family_of(const std::string& code) { return code.substr(0, code.find(' ')); }

std::optional<double> seconds_at(const Json& result, const std::string& kind, const std::string& error) {
  const Json& at = result.at("at_error").at(kind);
  if (!at.contains(error) || at.at(error).is_null()) return std::nullopt;
  return at.at(error).get<double>();
}

std::string milliseconds(std::optional<double> seconds) {
  return seconds ? fmt::format("{:.3g}", 1e3 * *seconds) : "never";
}

const Json* first_of_ours(const Json& problem) {
  for (const Json& result : problem.at("results"))
    if (result.at("ours").get<bool>()) return &result;
  return nullptr;
}

// The fastest of the others at this error; null if none reaches it.
const Json* best_peer(const Json& problem, const std::string& kind, const std::string& error) {
  const Json* best = nullptr;
  for (const Json& result : problem.at("results")) {
    const auto seconds = seconds_at(result, kind, error);
    if (result.at("ours").get<bool>() || !seconds) continue;
    if (!best || *seconds < *seconds_at(*best, kind, error)) best = &result;
  }
  return best;
}

// Ours, and of the others those that are the fastest of their family at some error: the rest is switched off at first.
std::set<std::string> shown_codes(const Json& problem, const std::string& kind) {
  std::set<std::string> shown;
  std::map<std::pair<std::string, std::string>, std::pair<double, std::string>> fastest;
  for (const Json& result : problem.at("results")) {
    const auto code = result.at("code").get<std::string>();
    if (result.at("ours").get<bool>()) shown.insert(code);
    for (const auto& [error, seconds] : result.at("at_error").at(kind).items()) {
      if (seconds.is_null()) continue;
      const auto [entry, is_new] = fastest.try_emplace({family_of(code), error}, seconds.get<double>(), code);
      if (!is_new && seconds.get<double>() < entry->second.first) entry->second = {seconds.get<double>(), code};
    }
  }
  for (const auto& [where, who] : fastest) shown.insert(who.second);
  return shown;
}

double error_of(const Json& row, const Measure& kind) {
  double largest = 0.0;
  for (const char* column : kind.columns) {
    if (!row.at(column).is_number()) return std::nan("");
    largest = std::max(largest, row.at(column).get<double>());
  }
  return largest;
}

Curve curve_of(const Json& result, const Measure& kind, int shape, bool shown) {
  Curve curve{.label = result.at("code").get<std::string>(), .shape = shape, .shown = shown};
  for (const Json& row : result.at("rows")) {
    if (row.contains("failure")) continue;
    curve.x.push_back(error_of(row, kind));
    curve.y.push_back(1e3 * row.at("seconds").get<double>());
    curve.names.push_back(fmt::format("tolerance {:.0e}, {} steps, {} evaluations", row.at("tolerance").get<double>(),
                                      row.at("steps").get<std::size_t>(), row.at("evaluations").get<std::size_t>()));
  }
  return curve;
}

Picture diagram(const Json& problem, const Measure& kind) {
  Picture picture{.title = fmt::format("Time against the error of {}", kind.title),
                  .x = "error",
                  .log_x = true,
                  .log_y = true,
                  .y = "milliseconds",
                  .note = "Lower is faster, left is more accurate. One point for each tolerance, joined in its order.",
                  .plane = true};
  const auto shown = shown_codes(problem, kind.name);
  std::map<std::string, int> shapes;
  std::size_t hidden = 0;
  for (const Json& result : problem.at("results")) {
    const auto code = result.at("code").get<std::string>();
    const int shape = shapes.try_emplace(family_of(code), static_cast<int>(shapes.size())).first->second;
    Curve curve = curve_of(result, kind, shape, shown.contains(code));
    if (curve.x.empty()) continue;
    hidden += !curve.shown;
    picture.curves.push_back(std::move(curve));
  }
  int color = 0;  // the first ones for those that are shown
  for (const bool pass : {true, false})
    for (Curve& curve : picture.curves)
      if (curve.shown == pass) curve.color = color++;
  if (hidden > 0)
    picture.note += fmt::format(
        " {} settings that are nowhere the fastest of their code are switched off; the legend "
        "switches them on.",
        hidden);
  return picture;
}

ArticleTable times(const Json& problem, const Measure& kind) {
  ArticleTable table{
      .title = fmt::format("Milliseconds at equal error of {}, and how many times slower than the first", kind.title),
      .columns = {{"code", false}}};
  const Json* ours = first_of_ours(problem);
  for (const std::string& error : usual_errors) {
    table.columns.push_back({error});
    table.columns.push_back({"ratio"});
  }
  for (const Json& result : problem.at("results")) {
    std::vector<std::string> cells = {result.at("code").get<std::string>()};
    for (const std::string& error : usual_errors) {
      const auto seconds = seconds_at(result, kind.name, error);
      const auto reference = ours ? seconds_at(*ours, kind.name, error) : std::nullopt;
      cells.push_back(milliseconds(seconds));
      cells.push_back(seconds && reference ? fmt::format("{:.2f}", *seconds / *reference) : "-");
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::vector<Remark> remarks(const Json& problem, const Measure& kind) {
  std::vector<Remark> all;
  const Json* ours = first_of_ours(problem);
  if (!ours) return all;
  const auto name = ours->at("code").get<std::string>();
  for (const std::string& error : usual_errors) {
    const auto seconds = seconds_at(*ours, kind.name, error);
    const Json* peer = best_peer(problem, kind.name, error);
    if (!seconds || !peer) continue;
    const double quotient = *seconds_at(*peer, kind.name, error) / *seconds;
    all.push_back({quotient >= 1.0 ? "good" : "bad",
                   fmt::format("Error of {} of {}: {} takes {} ms, the fastest of the others, {}, {} ms: {:.2f} times.",
                               kind.title, error, name, milliseconds(seconds), peer->at("code").get<std::string>(),
                               milliseconds(seconds_at(*peer, kind.name, error)), quotient)});
  }
  return all;
}

Section overview(const std::vector<Json>& problems) {
  Section section{
      .id = "overview",
      .title = "Overview",
      .what =
          "Processor time at equal achieved error at the end, in milliseconds: driftless, the fastest of the "
          "others, and how many times slower that is. bench/README.md tells how it is measured."};
  for (const Measure& kind : kinds()) {
    ArticleTable table{.title = fmt::format("Equal error of {}", kind.title), .columns = {{"problem", false}}};
    for (const std::string& error : usual_errors)
      for (const char* what : {"driftless", "others", "ratio"})
        table.columns.push_back({fmt::format("{}: {}", error, what), std::string_view(what) != "others"});
    for (const Json& problem : problems) {
      std::vector<std::string> cells = {problem.at("problem").get<std::string>()};
      const Json* ours = first_of_ours(problem);
      for (const std::string& error : usual_errors) {
        const auto seconds = ours ? seconds_at(*ours, kind.name, error) : std::nullopt;
        const Json* peer = best_peer(problem, kind.name, error);
        const auto theirs = peer ? seconds_at(*peer, kind.name, error) : std::nullopt;
        cells.push_back(milliseconds(seconds));
        cells.push_back(peer ? fmt::format("{} ({})", milliseconds(theirs), peer->at("code").get<std::string>())
                             : "never");
        cells.push_back(seconds && theirs ? fmt::format("{:.2f}", *theirs / *seconds) : "-");
      }
      table.rows.push_back(std::move(cells));
    }
    section.tables.push_back(std::move(table));
  }
  return section;
}

Section section_of(const Json& problem) {
  const auto name = problem.at("problem").get<std::string>();
  Section section{.id = name,
                  .title = name,
                  .what = fmt::format("{}, t = {:g}. Reference: {}.", problem.at("title").get<std::string>(),
                                      problem.at("end").get<double>(), problem.at("reference").get<std::string>()),
                  .remarks = remarks(problem, kinds()[0])};
  for (const Measure& kind : kinds()) {
    section.pictures.push_back(diagram(problem, kind));
    section.tables.push_back(times(problem, kind));
  }
  return section;
}

}  // namespace

Json read_bench(const std::string& path) {
  const std::string text = read_text_file(path);
  try {
    Json problem = json_from(text);
    if (problem.is_object() && problem.contains("benchmark") && problem.contains("results")) return problem;
  } catch (const Json::exception& error) {
    throw Stop(ExitCode::file, fmt::format("cannot read '{}': {}", path, error.what()));
  }
  throw Stop(ExitCode::file,
             fmt::format("'{}' is not what the benchmark writes\n  try:   bench/run PROBLEM --rows --json", path));
}

Article bench_article(const std::vector<Json>& problems) {
  Article article{.title = "Benchmark", .subtitle = "work and precision: driftless and others"};
  try {
    if (problems.size() == 1) article.title = problems[0].at("problem").get<std::string>();
    if (problems.size() > 1) article.sections.push_back(overview(problems));
    for (const Json& problem : problems) article.sections.push_back(section_of(problem));
  } catch (const Json::exception& error) {
    throw Stop(ExitCode::file, fmt::format("the results of the benchmark are not complete: {}", error.what()));
  }
  return article;
}

}  // namespace driftless::cli
