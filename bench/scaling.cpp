#include "bench/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/contestants.h"

namespace bench {

namespace {

constexpr std::size_t lengths[] = {10, 20, 50, 100, 200, 500, 1000};
constexpr double tolerance = 1e-6, end = 0.2;
// What is known to be best for long chains, and the dense ones for comparison.
constexpr const char* chosen[] = {"driftless",           "RADAU5 index 1, band", "RADAU5 index 3, M1",
                                  "IDA GGL, KLU",        "IDA index 1, KLU",     "IDA Baumgarte 10, KLU",
                                  "DASPK index 1, band", "DASPK GGL, band"};

}  // namespace

std::string scaling_as_markdown(const DeSolve* desolve, const ContestOptions& given) {
  ContestOptions options = given;
  options.tolerances = {tolerance};
  std::map<std::string, std::string> lines;
  std::map<std::string, bool> given_up;
  std::vector<std::string> order;
  std::string head = "| code |", rule = "|---|";
  for (const std::size_t n : lengths) {
    head += fmt::format(" {} |", n);
    rule += "--:|";
    BenchProblem problem = open_chain_problem(n, end);
    problem.reference = problem.start;  // errors are not looked at here
    std::vector<Contestant> contestants = our_methods(problem);
    for (Contestant& peer : peer_methods(problem, desolve))
      if (std::find(std::begin(chosen), std::end(chosen), peer.name) != std::end(chosen))
        contestants.push_back(std::move(peer));
    std::erase_if(contestants, [&](const Contestant& one) { return given_up[one.name]; });
    std::vector<Entry> entries = try_all(problem, contestants, options);
    time_all(entries, contestants, options, [](const Entry&, std::size_t) { return true; });
    for (const Entry& entry : entries) {
      if (!lines.contains(entry.code)) order.push_back(entry.code);
      const Row& row = entry.rows[0];
      if (row.ok())
        lines[entry.code] += fmt::format(" {:.3g} ({}) |", 1e6 * row.least / static_cast<double>(row.steps), row.steps);
      else
        lines[entry.code] += fmt::format(" {} |", row.failure);
      given_up[entry.code] = row.failure == over_time;
    }
  }
  std::string text = fmt::format(
      "Microseconds per accepted step (and steps) of an open chain of n links, tolerance {}, t = {}:\n\n{}\n{}\n",
      tolerance, end, head, rule);
  for (const std::string& code : order) text += fmt::format("| {} |{}\n", code, lines[code]);
  return text;
}

}  // namespace bench
