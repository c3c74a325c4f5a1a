// driftless and its peers on the same problems, in one process: see README.md in this folder.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "bench/check.h"
#include "bench/contestants.h"
#include "bench/long_run.h"
#include "bench/options.h"
#include "bench/references.h"
#include "bench/report.h"
#include "bench/scaling.h"

// What callgrind is told to count in: valgrind --tool=callgrind --toggle-collect=driftless_bench_measured ... --once
extern "C" [[gnu::noinline]] void driftless_bench_measured(const bench::Contestant& contestant, double tolerance,
                                                           double seconds, bench::Outcome& outcome) {
  outcome = contestant.run(tolerance, seconds);
}

namespace {

using namespace bench;

std::vector<Contestant> contestants_of(const BenchProblem& problem, const DeSolve* desolve, const CommandLine& line) {
  std::vector<Contestant> all = our_methods(problem);
  for (Contestant& peer : peer_methods(problem, desolve)) all.push_back(std::move(peer));
  std::erase_if(all, [&](const Contestant& one) {
    return one.name.find(line.only) == std::string::npos || (!line.code.empty() && one.name != line.code);
  });
  return all;
}

const std::vector<double> usual_errors = {1e-4, 1e-6, 1e-8};

// The rows between which the time at one of these errors is interpolated.
bool is_needed(const Entry& entry, std::size_t row, const std::vector<double>& errors, Quantity quantity) {
  for (const double error : errors)
    if (const auto at = at_error(entry, error, quantity); at && (row == at->row || row == at->previous)) return true;
  return false;
}

// After the first runs: is this setting of a code nowhere near the fastest one of the same code?
bool is_beaten(const Entry& entry, const std::vector<Entry>& all) {
  const std::string family = entry.code.substr(0, entry.code.find(' '));
  for (const Quantity quantity : {Quantity::q, Quantity::qvl})
    for (int digits = 3; digits <= 9; ++digits) {
      const double error = std::pow(10.0, -digits);
      const auto at = at_error(entry, error, quantity);
      if (!at) continue;
      double least = at->seconds;
      for (const Entry& other : all)
        if (other.code.starts_with(family))
          if (const auto theirs = at_error(other, error, quantity)) least = std::min(least, theirs->seconds);
      if (at->seconds < 2.5 * least) return false;
    }
  return true;
}

using Wanted = std::function<bool(const std::vector<Entry>& all, const Entry& entry, std::size_t row)>;

Measured measure(const BenchProblem& problem, const DeSolve* desolve, const CommandLine& line, const Wanted& wanted) {
  if (problem.reference.empty()) throw std::runtime_error("there is no reference for " + problem.name);
  const auto contestants = contestants_of(problem, desolve, line);
  Measured measured{problem.name, problem.title, problem.reference_source, problem.end,
                    try_all(problem, contestants, line.contest)};
  time_all(measured.entries, contestants, line.contest,
           [&](const Entry& entry, std::size_t row) { return wanted(measured.entries, entry, row); });
  return measured;
}

void run_once(const BenchProblem& problem, const DeSolve* desolve, const CommandLine& line) {
  const double tolerance = line.contest.tolerances.front();
  for (const Contestant& contestant : contestants_of(problem, desolve, line)) {
    Outcome outcome = contestant.run(tolerance, line.contest.seconds_per_run);  // what is made once in a process
    driftless_bench_measured(contestant, tolerance, line.contest.seconds_per_run, outcome);
    fmt::print("{}, tolerance {}: {}, {} steps, {} evaluations\n", contestant.name, tolerance,
               outcome.ok() ? "reached the end" : outcome.failure, outcome.steps, outcome.evaluations);
  }
}

void run_one(const CommandLine& line, const DeSolve* desolve) {
  const BenchProblem problem = make_problem(line.problem);
  if (line.once) return run_once(problem, desolve, line);
  const bool single = line.json || line.error_given;
  const std::vector<double> errors = single ? std::vector<double>{line.error} : usual_errors;
  const Measured measured =
      measure(problem, desolve, line, [&](const std::vector<Entry>&, const Entry& entry, std::size_t row) {
        return line.rows || is_needed(entry, row, errors, line.quantity);
      });
  if (line.json) {
    fmt::print("{}", as_json(measured, line.error, line.quantity));
    return;
  }
  fmt::print("{}", as_text(measured, errors, line.quantity));
  if (line.rows) fmt::print("{}", rows_as_text(measured));
}

void run_all(const CommandLine& line, const DeSolve* desolve) {
  std::filesystem::create_directories(line.output);
  std::vector<Measured> all;
  std::string details;
  for (const std::string& name : problem_names()) {
    fmt::print(stderr, "{}\n", name);
    const BenchProblem problem = make_problem(name);
    all.push_back(
        measure(problem, desolve, line, [](const std::vector<Entry>& entries, const Entry& entry, std::size_t) {
          return entry.ours || !is_beaten(entry, entries);
        }));
    write_diagram(all.back(), line.output);
    std::ofstream(line.output + "/" + name + ".json") << as_json(all.back(), line.error, line.quantity);
    details += fmt::format("\n### {}: {}, t = {}\n\nReference: {}.\n", name, problem.title, problem.end,
                           problem.reference_source);
    for (const Quantity quantity : {Quantity::q, Quantity::qvl})
      details += fmt::format("\nMilliseconds at equal achieved error of {}:\n\n{}", name_of(quantity),
                             as_markdown(all.back(), usual_errors, quantity));
  }
  std::string text = "# Benchmark\n";
  for (const Quantity quantity : {Quantity::q, Quantity::qvl})
    text += fmt::format("\n## Milliseconds at equal achieved error of {}, and best peer / driftless\n\n{}",
                        name_of(quantity), ratios_as_markdown(all, usual_errors, quantity));
  text += "\n## Achieved error / tolerance, geometric mean over all problems and tolerances 1e-4 ... 1e-10\n\n" +
          honesty_as_markdown(all) + "\n## Problem by problem\n" + details;
  std::ofstream(line.output + "/results.md") << text;
  fmt::print("{}", text);
}

int run(const CommandLine& line) {
  using Task = CommandLine::Task;
  const auto desolve = DeSolve::find();
  const DeSolve* found = desolve ? &*desolve : nullptr;
  if (!found) fmt::print(stderr, "without RADAU5 and DASPK: install the R package deSolve (Debian: r-cran-desolve)\n");
  switch (line.task) {
    case Task::one_problem: run_one(line, found); break;
    case Task::all: run_all(line, found); break;
    case Task::scaling: fmt::print("{}", scaling_as_markdown(found, line.contest)); break;
    case Task::long_runs: fmt::print("{}", long_runs_as_markdown(found, line.contest)); break;
    case Task::reference: fmt::print("{}", compute_reference(make_problem(line.problem))); break;
    case Task::check:
      for (const std::string& name : problem_names()) fmt::print("{}", check_systems(make_problem(name)));
      break;
    case Task::list:
      for (const std::string& name : problem_names()) fmt::print("{}\n", name);
      break;
    case Task::help: fmt::print("{}", usage); break;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse(argc, argv));
  } catch (const std::exception& error) {
    fmt::print(stderr, "driftless_bench: {}\n", error.what());
    return 1;
  }
}
