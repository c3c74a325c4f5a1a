#include "bench/long_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/contestants.h"
#include "driftless/equations/manifold.h"

namespace bench {

namespace {

constexpr double seconds_simulated = 100.0;
constexpr const char* chosen[] = {
    "RADAU5 index 3, M1", "RADAU5 GGL",         "RADAU5 index 1, M1",      "RADAU5 index 1, band",
    "IDA GGL, KLU",       "IDA index 1, KLU",   "IDA Baumgarte 10, KLU",   "DASPK GGL",
    "DASPK GGL, band",    "DASPK Baumgarte 10", "DASPK Baumgarte 10, band"};

double energy(const BenchProblem& problem, const std::vector<double>& state) {
  const auto& form = std::get<driftless::Mechanical>(problem.equations);
  const driftless::ConstSpan all(state);
  return *form.functions().energy(all.subspan(problem.q.first, problem.q.count),
                                  all.subspan(problem.v.first, problem.v.count), problem.end);
}

// Errors of the row: energy (in place of q), position constraint (v), velocity constraint (lambda).
Outcome judged(const BenchProblem& problem, Outcome outcome) {
  if (!outcome.ok()) return outcome;
  const auto residuals = constraint_residuals(problem.equations, problem.end, outcome.state);
  std::vector<double> judged(problem.start.size(), 0.0);
  judged[problem.q.first] = energy(problem, outcome.state) - energy(problem, problem.start);
  judged[problem.v.first] = residuals.largest(1);
  judged[problem.lambda.first] = residuals.largest(2);
  outcome.state = std::move(judged);
  return outcome;
}

}  // namespace

std::string long_runs_as_markdown(const DeSolve* desolve, const ContestOptions& given) {
  ContestOptions options = given;
  options.tolerances = {1e-6, 1e-8};
  options.seconds_per_run = std::max(given.seconds_per_run, 60.0);
  std::string text = fmt::format(
      "The n-link pendulum with both ends fixed after {} s: processor time, change of the energy, residuals of the "
      "position and velocity constraints.\n\n| n | code | tolerance | seconds | energy | g | g' "
      "|\n|--:|---|--:|--:|--:|--:|--:|\n",
      seconds_simulated);
  for (const char* name : {"suspended_chain_5", "suspended_chain_20"}) {
    BenchProblem problem = make_problem(name);
    problem.end = seconds_simulated;
    problem.reference.assign(problem.start.size(), 0.0);
    std::vector<Contestant> contestants = our_methods(problem);
    for (Contestant& peer : peer_methods(problem, desolve))
      if (std::find(std::begin(chosen), std::end(chosen), peer.name) != std::end(chosen))
        contestants.push_back(std::move(peer));
    for (Contestant& one : contestants)
      one.run = [&problem, run = one.run](double tolerance, double seconds) {
        return judged(problem, run(tolerance, seconds));
      };
    for (const Entry& entry : try_all(problem, contestants, options))
      for (const Row& row : entry.rows)
        text += row.ok()
                    ? fmt::format("| {} | {} | {:.0e} | {:.3g} | {:.1e} | {:.1e} | {:.1e} |\n", problem.lambda.count,
                                  entry.code, row.tolerance, row.once, row.errors.q, row.errors.v, row.errors.lambda)
                    : fmt::format("| {} | {} | {:.0e} | {} | | | |\n", problem.lambda.count, entry.code, row.tolerance,
                                  row.failure);
  }
  return text;
}

}  // namespace bench
