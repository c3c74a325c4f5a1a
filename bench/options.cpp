#include "bench/options.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace bench {

const char* const usage =
    R"(driftless_bench PROBLEM [options]   time at equal achieved error, this project and its peers
driftless_bench --all [options]      all problems; data, diagrams and tables go to a folder
driftless_bench --scaling [options]  cost per step of chains against their length
driftless_bench --long-runs          100 s of the n-link pendulum with both ends fixed: energy and constraints
driftless_bench --list               the problems
driftless_bench --check              are the Jacobians that the peers get right?
driftless_bench --reference PROBLEM  a reference solution, for the file in bench/references

  --error E          the achieved error to compare at (1e-8; without it 1e-4, 1e-6 and 1e-8, except for --json)
  --quantity WHAT    what the error is of: q (positions; the default), qv, qvl (multipliers, too)
  --json             results as JSON
  --rows             every run, too
  --only TEXT        only codes whose name contains TEXT
  --code NAME        only the code with this name
  --tolerance T      this tolerance only, instead of 1e-2 ... 1e-13 in half decades
  --once             two runs of each code at the first tolerance in this process, the second for callgrind
  --rounds N         repetitions at most (40)
  --budget SECONDS   for the repetitions of one code at one tolerance (0.2)
  --limit SECONDS    for a single run (5)
  --output FOLDER    of --all (bench-results)
)";

namespace {

double number(const std::string& name, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !(value > 0.0))
    throw std::runtime_error(fmt::format("{} needs a positive number, not '{}'", name, text));
  return value;
}

Quantity quantity(const std::string& text) {
  if (text == "q") return Quantity::q;
  if (text == "qv") return Quantity::qv;
  if (text == "qvl") return Quantity::qvl;
  throw std::runtime_error(fmt::format("--quantity is q, qv or qvl, not '{}'", text));
}

}  // namespace

CommandLine parse(int argc, char** argv) {
  using Task = CommandLine::Task;
  CommandLine line;
  for (int k = 4; k <= 26; ++k) line.contest.tolerances.push_back(std::pow(10.0, -0.5 * k));
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&]() -> std::string {
      if (i + 1 >= argc) throw std::runtime_error(word + " needs a value");
      return argv[++i];
    };
    if (word == "--all")
      line.task = Task::all;
    else if (word == "--scaling")
      line.task = Task::scaling;
    else if (word == "--long-runs")
      line.task = Task::long_runs;
    else if (word == "--list")
      line.task = Task::list;
    else if (word == "--help" || word == "-h")
      line.task = Task::help;
    else if (word == "--reference")
      line.task = Task::reference, line.problem = next();
    else if (word == "--json")
      line.json = true;
    else if (word == "--rows")
      line.rows = true;
    else if (word == "--once")
      line.once = true;
    else if (word == "--check")
      line.task = Task::check;
    else if (word == "--error")
      line.error = number(word, next()), line.error_given = true;
    else if (word == "--quantity")
      line.quantity = quantity(next());
    else if (word == "--only")
      line.only = next();
    else if (word == "--code")
      line.code = next();
    else if (word == "--output")
      line.output = next();
    else if (word == "--tolerance")
      line.contest.tolerances = {number(word, next())};
    else if (word == "--rounds")
      line.contest.most_rounds = static_cast<int>(number(word, next()));
    else if (word == "--budget")
      line.contest.seconds_per_row = number(word, next());
    else if (word == "--limit")
      line.contest.seconds_per_run = number(word, next());
    else if (word.starts_with("-"))
      throw std::runtime_error(fmt::format("unknown option {}", word));
    else if (!line.problem.empty())
      throw std::runtime_error("one problem at a time, or --all");
    else
      line.task = Task::one_problem, line.problem = word;
  }
  return line;
}

}  // namespace bench
