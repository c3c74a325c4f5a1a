#include "bench/contest.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace bench {

namespace {

const char* const not_tried = "not tried";
constexpr double least_seconds = 3e-4;  // of what is timed at once
constexpr double cold_below = 2e-3;     // runs this short are repeated once before they are timed

// NaN where the reference is unknown is skipped; NaN in the state is an error without measure.
double error_in(const Range& range, const std::vector<double>& state, const std::vector<double>& reference) {
  double worst = 0.0;
  for (std::size_t i = range.first; i < range.first + range.count; ++i) {
    if (std::isnan(reference[i])) continue;
    const double error = std::abs(state[i] - reference[i]) / std::max(1.0, std::abs(reference[i]));
    if (!(error <= worst)) worst = error;
    if (std::isnan(worst)) return worst;
  }
  return worst;
}

// What the child tells the parent about one row.
struct Message {
  char failure[80];
  std::size_t steps, evaluations, jacobians, factorisations;
  Errors errors;
  double seconds;
};

Message run_once(const BenchProblem& problem, const Contestant& contestant, double tolerance, double seconds) {
  Message message = {};
  const double begin = processor_time();
  Outcome outcome;
  try {
    outcome = contestant.run(tolerance, seconds);
  } catch (const std::exception& error) {
    outcome.failure = error.what();
  }
  message.seconds = processor_time() - begin;
  if (outcome.ok() && outcome.state.size() != problem.start.size()) outcome.failure = "no state at the end";
  if (outcome.ok()) {
    message.errors = {error_in(problem.q, outcome.state, problem.reference),
                      error_in(problem.v, outcome.state, problem.reference),
                      error_in(problem.lambda, outcome.state, problem.reference)};
    if (std::isnan(message.errors.q + message.errors.v + message.errors.lambda)) outcome.failure = "result is NaN";
  }
  std::strncpy(message.failure, outcome.failure.c_str(), sizeof message.failure - 1);
  message.steps = outcome.steps;
  message.evaluations = outcome.evaluations;
  message.jacobians = outcome.jacobians;
  message.factorisations = outcome.factorisations;
  return message;
}

void fill(Row& row, const Message& message) {
  row.failure = message.failure;
  row.steps = message.steps;
  row.evaluations = message.evaluations;
  row.jacobians = message.jacobians;
  row.factorisations = message.factorisations;
  row.errors = message.errors;
  row.once = row.least = row.median = message.seconds;
  row.repetitions = 1;
}

// Is all that will be asked for known already?
bool is_enough(const Row& row) { return row.ok() && row.tolerance < 1.1e-10 && error_of(row, Quantity::qvl) < 1e-10; }

// Tighter tolerances take longer still, unless this one is so loose that the run went astray.
bool should_stop(const std::vector<Row>& rows, std::size_t last) {
  if (last > 0 && is_enough(rows[last]) && is_enough(rows[last - 1])) return true;
  if (rows[last].failure != over_time) return false;
  const auto is_slow = [](const Row& row) { return row.failure == over_time; };
  const auto slow = std::count_if(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(last) + 1, is_slow);
  return slow >= 4 || (last > 0 && rows[last - 1].ok());
}

// Runs the rows from `first` on in a child and fills them; returns the first row that is not filled.
std::size_t try_in_child(const BenchProblem& problem, const Contestant& contestant, const ContestOptions& options,
                         std::vector<Row>& rows, std::size_t first) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe to a child process");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process");
  if (child == 0) {
    close(ends[0]);
    for (std::size_t k = first; k < rows.size(); ++k) {
      const Message message = run_once(problem, contestant, rows[k].tolerance, options.seconds_per_run);
      if (write(ends[1], &message, sizeof message) != static_cast<ssize_t>(sizeof message)) _exit(1);
      fill(rows[k], message);
      if (should_stop(rows, k)) break;
    }
    _exit(0);
  }
  close(ends[1]);
  bool hangs = false;
  std::size_t k = first;
  for (; k < rows.size(); ++k) {
    pollfd waiting{ends[0], POLLIN, 0};
    const int patience = static_cast<int>(1000.0 * (10.0 * options.seconds_per_run + 10.0));
    Message message;
    if (poll(&waiting, 1, patience) == 0) {
      hangs = true;
      kill(child, SIGKILL);
      break;
    }
    if (read(ends[0], &message, sizeof message) != static_cast<ssize_t>(sizeof message)) break;
    fill(rows[k], message);
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (k == rows.size()) return k;
  if (k > 0 && should_stop(rows, k - 1)) {
    for (; k < rows.size(); ++k) rows[k].failure = not_tried;
    return k;
  }
  if (hangs)
    rows[k].failure = over_time;
  else
    rows[k].failure = WIFSIGNALED(status) ? fmt::format("crashed ({})", strsignal(WTERMSIG(status))) : "ended early";
  return k + 1;
}

struct Timed {
  const Contestant* contestant;
  Row* row;
  int rounds = 0, batch = 1;
  std::vector<double> seconds = {};
};

}  // namespace

std::vector<Entry> try_all(const BenchProblem& problem, const std::vector<Contestant>& contestants,
                           const ContestOptions& options) {
  std::vector<Entry> entries;
  for (const Contestant& contestant : contestants) {
    Entry entry{contestant.name, contestant.ours};
    for (const double tolerance : options.tolerances) entry.rows.push_back({.tolerance = tolerance});
    for (std::size_t k = 0; k < entry.rows.size();) k = try_in_child(problem, contestant, options, entry.rows, k);
    entries.push_back(std::move(entry));
  }
  return entries;
}

void time_all(std::vector<Entry>& entries, const std::vector<Contestant>& contestants, const ContestOptions& options,
              const std::function<bool(const Entry&, std::size_t row)>& wanted) {
  std::vector<Timed> timed;
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (std::size_t k = 0; k < entries[i].rows.size(); ++k)
      if (Row& row = entries[i].rows[k]; row.ok() && wanted(entries[i], k)) timed.push_back({&contestants[i], &row});
  const auto run = [&](const Timed& one) {
    if (one.row->once < cold_below)  // others had the caches
      one.contestant->run(one.row->tolerance, options.seconds_per_run);
    const double begin = processor_time();
    for (int k = 0; k < one.batch; ++k) one.contestant->run(one.row->tolerance, options.seconds_per_run);
    return (processor_time() - begin) / one.batch;
  };
  int rounds = 0;
  for (Timed& one : timed) {
    if (one.row->once > options.seconds_per_row) continue;
    // Short runs are timed several at once, or the clock and cold caches would be part of them. What they take is not
    // known before they are warm.
    run(one);
    one.batch = std::clamp(static_cast<int>(least_seconds / run(one)), 1, 1000);
    const double seconds = run(one) * one.batch;
    one.rounds = std::clamp(static_cast<int>(options.seconds_per_row / seconds), 0, options.most_rounds);
    rounds = std::max(rounds, one.rounds);
  }
  for (int round = 0; round < rounds; ++round)
    for (Timed& one : timed)
      if (round < one.rounds) one.seconds.push_back(run(one));
  for (Timed& one : timed) {
    if (one.seconds.empty()) continue;
    std::sort(one.seconds.begin(), one.seconds.end());
    one.row->least = one.seconds.front();
    one.row->median = one.seconds[one.seconds.size() / 2];
    one.row->repetitions = static_cast<int>(one.seconds.size());
  }
}

double error_of(const Row& row, Quantity quantity) {
  if (!row.ok()) return std::numeric_limits<double>::infinity();
  double error = row.errors.q;
  if (quantity != Quantity::q) error = std::max(error, row.errors.v);
  if (quantity == Quantity::qvl) error = std::max(error, row.errors.lambda);
  return error;
}

std::optional<AtError> at_error(const Entry& entry, double error, Quantity quantity) {
  // Failed runs are left out, as one would try another tolerance.
  std::vector<std::size_t> good;
  for (std::size_t k = 0; k < entry.rows.size(); ++k)
    if (entry.rows[k].ok()) good.push_back(k);
  const auto is_below = [&](std::size_t k) { return error_of(entry.rows[good[k]], quantity) <= error; };
  std::size_t k = 0;
  while (k < good.size() && !(is_below(k) && (k + 1 == good.size() || is_below(k + 1)))) ++k;
  if (k == good.size()) return std::nullopt;
  const Row& below = entry.rows[good[k]];
  if (k == 0) return AtError{below.least, good[0], good[0]};
  const Row& above = entry.rows[good[k - 1]];
  const double error_above = error_of(above, quantity), error_below = std::max(error_of(below, quantity), 1e-18);
  const double share = std::log(error_above / error) / std::log(error_above / error_below);
  const double between = std::exp((1.0 - share) * std::log(above.least) + share * std::log(below.least));
  return AtError{std::min(between, below.least), good[k], good[k - 1]};  // a looser run may be the slower one
}

}  // namespace bench
