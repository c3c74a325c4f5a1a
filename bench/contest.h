// Several codes on one problem over a range of tolerances: errors, work, and times of interleaved repetitions. All
// times are processor time of the whole process.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/problems.h"
#include "bench/run.h"

namespace bench {

struct Contestant {
  std::string name;
  bool ours = false;
  std::function<Outcome(double tolerance, double seconds)> run;  // gives up after that many seconds
};

struct Errors {
  double q = 0.0, v = 0.0, lambda = 0.0;  // max |y - ref| / max(1, |ref|); NaN if a number is missing
};

struct Row {
  double tolerance = 0.0;
  std::string failure = {};  // empty: it reached the end
  std::size_t steps = 0, evaluations = 0, jacobians = 0, factorisations = 0;
  Errors errors = {};
  double once = 0.0;                 // seconds of the first run
  double least = 0.0, median = 0.0;  // seconds
  int repetitions = 0;

  bool ok() const { return failure.empty(); }
};

struct Entry {
  std::string code;
  bool ours = false;
  std::vector<Row> rows = {};  // in the order of falling tolerance
};

struct ContestOptions {
  std::vector<double> tolerances = {};
  double seconds_per_run = 5.0;
  double seconds_per_row = 0.2;  // for repetitions
  int most_rounds = 40;
};

// Every code at every tolerance once, each in a child process, so that a crash or a run without end is a failure of
// that row and no more. Looser tolerances come first; after a run beyond its limit, or
// when two in a row have errors far below all that is asked for, the tighter ones are not tried.
std::vector<Entry> try_all(const BenchProblem& problem, const std::vector<Contestant>& contestants,
                           const ContestOptions& options);

// Repeats the rows that `wanted` chooses in this process, all codes in turn.
void time_all(std::vector<Entry>& entries, const std::vector<Contestant>& contestants, const ContestOptions& options,
              const std::function<bool(const Entry&, std::size_t row)>& wanted);

enum class Quantity { q, qv, qvl };
double error_of(const Row& row, Quantity quantity);

// At equal achieved error: log time interpolated over log error between two tolerances. The error counts as reached at
// the loosest tolerance where this run and the next tighter one are below it: one lucky run does not count, and noise
// at the level of rounding errors does no harm.
struct AtError {
  double seconds = 0.0;
  std::size_t row = 0;       // the run that reached it
  std::size_t previous = 0;  // the one before, or the same if there is none
};
std::optional<AtError> at_error(const Entry& entry, double error, Quantity quantity);

}  // namespace bench
