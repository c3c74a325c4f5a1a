#include "judge.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace driftless::fuzz {

namespace {

constexpr int intervals = 10, patience = 60;  // rows, seconds

struct Table {
  std::map<std::string, std::size_t> columns;
  std::vector<std::vector<double>> rows;
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char letter : line) {
    if (letter == '"')
      quoted = !quoted;
    else if (letter == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += letter;
  }
  return fields;
}

Table read_table(const std::string& path) {
  Table table;
  std::ifstream file(path);
  std::string line;
  if (std::getline(file, line)) {
    const std::vector<std::string> names = split(line);
    for (std::size_t i = 0; i < names.size(); ++i) table.columns[names[i]] = i;
  }
  while (std::getline(file, line)) {
    table.rows.emplace_back();
    for (const std::string& field : split(line))
      table.rows.back().push_back(field.empty() ? NAN : std::atof(field.c_str()));
  }
  return table;
}

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

bool near_change(const Model& model, double t) {
  return std::any_of(model.changes.begin(), model.changes.end(), [&](double c) { return std::abs(c - t) < 1e-4; });
}

// The largest error of one unknown in tolerances, and where it first exceeds what is allowed.
struct Deviation {
  double worst = 0.0;
  std::string first;
};

Deviation deviation_of(const Model& model, const Unknown& unknown, const Table& table, std::size_t column,
                       double rtol) {
  double size = 1.0;  // all is of about this size in its unit; what is smaller is a difference
  for (const auto& row : table.rows) size = std::max(size, std::abs(value(unknown.exact, row[0])));
  const double tolerance = rtol * size;
  Deviation result;
  for (const auto& row : table.rows) {
    const double t = row[0], exact = value(unknown.exact, t), got = row[column] / unknown.unit;
    if (near_change(model, t)) continue;
    const double error = std::abs(got - exact) / tolerance;
    result.worst = std::isnan(error) ? INFINITY : std::max(result.worst, error);
    if (!(error <= allowed_tolerances) && result.first.empty())
      result.first =
          fmt::format("{} at t = {}: {} instead of {}", unknown.name, t, got * unknown.unit, exact * unknown.unit);
  }
  return result;
}

Verdict compared(const Model& model, const Table& table, double rtol) {
  if (table.rows.size() <= intervals)
    return {Verdict::Kind::wrong, fmt::format("{} rows only", table.rows.size()), INFINITY};
  Verdict verdict;
  for (const auto& unknown : model.unknowns) {
    if (!unknown->compared) continue;
    const auto column = table.columns.find(unknown->name);
    if (column == table.columns.end()) return {Verdict::Kind::wrong, unknown->name + " is not in the output", INFINITY};
    const Deviation deviation = deviation_of(model, *unknown, table, column->second, rtol);
    verdict.worst = std::max(verdict.worst, deviation.worst);
    if (verdict.message.empty()) verdict.message = deviation.first;
  }
  if (!verdict.message.empty()) verdict.kind = Verdict::Kind::wrong;
  return verdict;
}

}  // namespace

Verdict Judge::judge(const Model& model, const std::string& text, double rtol) const {
  const std::string base = folder_ + "/made";
  std::ofstream(base + ".mo") << text;
  const std::string tolerance = rtol == 1e-6 ? "" : fmt::format(" --rtol {}", rtol);
  const std::string command = fmt::format(
      "timeout {} '{}' solve '{}.mo' --grid {} --no-metadata --output '{}.csv' --quiet{} >'{}.out' 2>'{}.err'",
      patience, program_, base, intervals, base, tolerance, base, base);
  std::remove((base + ".csv").c_str());
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (model.ends && code >= 10 && code < 100) return {};  // a failure of the run, not of the text
  if (model.ends && code == 0) return {Verdict::Kind::wrong, "the solution ends, but the run did not", INFINITY};
  if (code == 0) return compared(model, read_table(base + ".csv"), rtol);
  if (code == 124) return {Verdict::Kind::refused, fmt::format("not done after {} s", patience), INFINITY};
  const bool crashed = code < 0 || code == 1 || code > 100;
  return {crashed ? Verdict::Kind::wrong : Verdict::Kind::refused,
          fmt::format("exit code {}: {}", code, read_text(base + ".err")), INFINITY};
}

}  // namespace driftless::fuzz
