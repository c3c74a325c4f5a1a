#include "bench/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/contestants.h"

namespace bench {

namespace {

constexpr std::size_t lengths[] = {10, 20, 50, 100, 200, 500, 1000};
constexpr double tolerance = 1e-6, end = 0.2;
// Of the peers, what is best for long chains, and one dense code for comparison.
constexpr const char* chosen[] = {"RADAU5 index 1, band",  "RADAU5 index 3, M1",  "IDA GGL, KLU",   "IDA index 1, KLU",
                                  "IDA Baumgarte 10, KLU", "DASPK index 1, band", "DASPK GGL, band"};

struct Line {
  std::string code;
  bool given_up = false;
  std::map<std::size_t, std::string> cells = {};  // by length
};

Line& line_of(std::vector<Line>& lines, const std::string& code) {
  for (Line& line : lines)
    if (line.code == code) return line;
  lines.push_back({code});
  return lines.back();
}

std::vector<Contestant> contestants_of(const BenchProblem& problem, const DeSolve* desolve, std::vector<Line>& lines) {
  std::vector<Contestant> all = our_methods(problem);
  for (Contestant& peer : peer_methods(problem, desolve))
    if (std::find(std::begin(chosen), std::end(chosen), peer.name) != std::end(chosen)) all.push_back(std::move(peer));
  std::erase_if(all, [&](const Contestant& one) { return line_of(lines, one.name).given_up; });
  return all;
}

}  // namespace

std::string scaling_as_markdown(const DeSolve* desolve, const ContestOptions& given) {
  ContestOptions options = given;
  options.tolerances = {tolerance};
  std::vector<Line> lines;
  for (const std::size_t n : lengths) {
    BenchProblem problem = open_chain_problem(n, end);
    problem.reference = problem.start;  // errors are not looked at here
    const auto contestants = contestants_of(problem, desolve, lines);
    std::vector<Entry> entries = try_all(problem, contestants, options);
    time_all(entries, contestants, options, [](const Entry&, std::size_t) { return true; });
    for (const Entry& entry : entries) {
      const Row& row = entry.rows[0];
      Line& line = line_of(lines, entry.code);
      line.given_up = row.failure == over_time;
      line.cells[n] = row.ok() ? fmt::format("{:.3g} ({})", 1e6 * row.least / static_cast<double>(row.steps), row.steps)
                               : row.failure;
    }
  }
  std::string text = fmt::format(
      "Microseconds per accepted step (and steps) of an open chain of n links, tolerance {}, t = {}:\n\n| code |",
      tolerance, end);
  std::string rule = "|---|";
  for (const std::size_t n : lengths) {
    text += fmt::format(" n = {} |", n);
    rule += "--:|";
  }
  text += "\n" + rule + "\n";
  for (const Line& line : lines) {
    text += fmt::format("| {} |", line.code);
    for (const std::size_t n : lengths) text += fmt::format(" {} |", line.cells.contains(n) ? line.cells.at(n) : "-");
    text += '\n';
  }
  return text;
}

}  // namespace bench
