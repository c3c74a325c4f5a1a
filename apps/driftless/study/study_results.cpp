#include "apps/driftless/study/study_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/output/describe.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/output/text_table.h"

namespace driftless::cli {

namespace {

// Between the two neighbours, as NumPy's quantile does it.
double share_below(const Vector& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto before = static_cast<std::size_t>(place);
  const std::size_t behind = std::min(before + 1, sorted.size() - 1);
  const double rest = place - static_cast<double>(before);
  return rest == 0.0 ? sorted[before] : sorted[before] + rest * (sorted[behind] - sorted[before]);
}

// How often a run ended how, and the first one that did.
struct Ending {
  std::string status, reason;
  std::size_t count = 0, first = 0;
};
std::vector<Ending> failures(const StudyResults& results) {
  std::vector<Ending> all;
  for (const auto& [run, row] : results.rows) {
    if (row.ok()) continue;
    const auto known = std::ranges::find(all, row.status, &Ending::status);
    if (known == all.end())
      all.push_back({row.status, row.reason, 1, run});
    else
      ++known->count;
  }
  return all;
}

}  // namespace

std::vector<std::string> StudyResults::names(std::size_t begin, std::size_t end) const {
  std::vector<std::string> all;
  for (std::size_t k = begin; k < end; ++k) all.push_back(columns[k].name);
  return all;
}

std::size_t StudyResults::failed() const {
  return static_cast<std::size_t>(std::ranges::count_if(rows, [](const auto& entry) { return !entry.second.ok(); }));
}

// Mean and deviation by Welford's updates, in the order of the runs.
ColumnStatistics statistics_of(const StudyResults& results, std::size_t column) {
  ColumnStatistics found;
  Vector sorted;
  double squares = 0.0;
  for (const auto& [run, row] : results.rows) {
    const double x = row.values[column];
    if (!row.ok() || !std::isfinite(x)) continue;
    sorted.push_back(x);
    const double change = x - found.mean;
    found.mean += change / static_cast<double>(sorted.size());
    squares += change * (x - found.mean);
    if (sorted.size() == 1 || x < found.smallest) {
      found.smallest = x;
      found.smallest_run = run;
    }
    if (sorted.size() == 1 || x > found.largest) {
      found.largest = x;
      found.largest_run = run;
    }
  }
  found.count = sorted.size();
  if (sorted.empty()) return found;
  std::ranges::sort(sorted);
  if (sorted.size() > 1) found.deviation = std::sqrt(squares / static_cast<double>(sorted.size() - 1));
  found.low = share_below(sorted, 0.05);
  found.median = share_below(sorted, 0.5);
  found.high = share_below(sorted, 0.95);
  return found;
}

std::string study_text(const StudyResults& results, const std::vector<std::string>& written) {
  const std::size_t failed = results.failed(), done = results.rows.size();
  std::string text = fmt::format("{}: {} of {} runs", bold(results.about.value("model", "")), done, results.total);
  text += failed == 0 ? ", all well\n\n" : fmt::format(", {} of them failed\n\n", failed);
  using Align = TextTable::Align;
  TextTable table({{"shown"},
                   {"runs", Align::right},
                   {"smallest", Align::right},
                   {"in run", Align::right},
                   {"mean", Align::right},
                   {"deviation", Align::right},
                   {"largest", Align::right},
                   {"in run", Align::right}});
  for (std::size_t k = results.varied; k < results.columns.size(); ++k) {
    const ColumnStatistics found = statistics_of(results, k);
    if (found.count == 0) {
      table.add({results.columns[k].name, "0", "-", "-", "-", "-", "-", "-"});
      continue;
    }
    table.add({results.columns[k].name, fmt::format("{}", found.count), fmt::format("{:.6g}", found.smallest),
               fmt::format("{}", found.smallest_run), fmt::format("{:.6g}", found.mean),
               fmt::format("{:.3g}", found.deviation), fmt::format("{:.6g}", found.largest),
               fmt::format("{}", found.largest_run)});
  }
  text += table.text(2);
  for (const Ending& ending : failures(results))
    text += fmt::format("\n  {}: {}, the first in run {}: {}\n", alarm(ending.status),
                        counted(ending.count, "run", "runs"), ending.first, ending.reason);
  for (const std::string& file : written) text += fmt::format("\nwritten: {}", file);
  return written.empty() ? text : text + '\n';
}

Json study_json(const StudyResults& results) {
  Json object = results.about, shown = Json::object(), endings = Json::array();
  object["status"] = explanation_of(results.failed() == 0 ? ExitCode::ok : ExitCode::runs_failed).name;
  object["runs"] = results.rows.size();
  object["failed"] = results.failed();
  for (std::size_t k = results.varied; k < results.columns.size(); ++k) {
    const ColumnStatistics found = statistics_of(results, k);
    if (found.count > 0)
      shown[results.columns[k].name] = {{"runs", found.count},
                                        {"mean", json_number(found.mean)},
                                        {"deviation", json_number(found.deviation)},
                                        {"min", json_number(found.smallest)},
                                        {"min_run", found.smallest_run},
                                        {"max", json_number(found.largest)},
                                        {"max_run", found.largest_run},
                                        {"q05", json_number(found.low)},
                                        {"median", json_number(found.median)},
                                        {"q95", json_number(found.high)}};
    else
      shown[results.columns[k].name] = {{"runs", 0}};
  }
  for (const Ending& ending : failures(results))
    endings.push_back(
        {{"status", ending.status}, {"runs", ending.count}, {"first", ending.first}, {"reason", ending.reason}});
  object["shown"] = std::move(shown);
  object["failures"] = std::move(endings);
  return object;
}

}  // namespace driftless::cli
