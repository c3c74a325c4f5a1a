// The configurations of this project that take part: one line each.
#include <fmt/format.h>

#include <stop_token>

#include "bench/contestants.h"
#include "driftless/integrate/solve.h"

namespace bench {

namespace {

using driftless::AdaptiveMethod;
using driftless::Equations;
using driftless::SolveOptions;

struct OurMethod {
  const char* name;
  void (*set)(SolveOptions& options);
  bool (*applies)(const Equations& equations);
};

bool always(const Equations&) { return true; }

constexpr OurMethod methods[] = {
    {"driftless", [](SolveOptions&) {}, always},  // the default, which the ratios are of
    {"driftless dop853", [](SolveOptions& o) { o.adaptive = AdaptiveMethod::dop853; }, always},
    {"driftless dopri5", [](SolveOptions& o) { o.adaptive = AdaptiveMethod::dopri5; }, always},
    {"driftless radau", [](SolveOptions& o) { o.adaptive = AdaptiveMethod::radau; }, always},
};

Outcome run(const BenchProblem& problem, const OurMethod& method, double tolerance, double seconds) {
  TimeLimit limit(seconds);
  std::stop_source stop;
  SolveOptions options{.span = {problem.begin, problem.end},
                       .tolerance = {.relative = tolerance, .absolute = tolerance},
                       .keep_every = 1'000'000'000,
                       .dense = false,
                       .certificate = false,
                       .observer =
                           [&](double, driftless::ConstSpan) {
                             if (limit.over()) stop.request_stop();
                           },
                       .stop = stop.get_token()};
  method.set(options);
  const driftless::Solution solution = solve(problem.equations, problem.start, options);
  const auto& count = solution.statistics();
  Outcome outcome{.steps = count.steps,
                  .evaluations = count.evaluations,
                  .jacobians = count.jacobians,
                  .factorisations = count.factorisations};
  if (limit.over())
    outcome.failure = over_time;
  else if (!solution.ok())
    outcome.failure = name_of(solution.failure().kind);
  const auto last = solution.state(solution.size() - 1);
  outcome.state.assign(last.begin(), last.end());
  return outcome;
}

}  // namespace

std::vector<Contestant> our_methods(const BenchProblem& problem) {
  std::vector<Contestant> all;
  for (const OurMethod& method : methods)
    if (method.applies(problem.equations))
      all.push_back({method.name, true, [&problem, &method](double tolerance, double seconds) {
                       return run(problem, method, tolerance, seconds);
                     }});
  return all;
}

}  // namespace bench
