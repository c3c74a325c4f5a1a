// A compiled model from its start to an end, events included: what the program does, without output.
#pragma once

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "driftless/integrate/solve.h"
#include "driftless/modelfile/compiled_model.h"
#include "driftless/modelfile/equation_check.h"

namespace driftless::testing_models {

inline std::string text_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings)
    text += fmt::format("{}: {}{}{}\n", f.place.line, f.message, f.suggestion.empty() ? "" : "; ", f.suggestion);
  return text;
}

inline CompiledModel compiled(FlatModel model, const CompileOptions& options = {}) {
  Compilation result = compile(std::move(model), options);
  if (!result.ok()) throw std::runtime_error(text_of(result.errors));
  return *std::move(result.model);
}

struct RunResult {
  double time = 0.0;
  Vector state, held;
  std::map<std::string, double> values;  // at the end
  std::size_t events = 0;
  std::string ended;  // why, if not at the end
};

inline RunResult run(const CompiledModel& model, double end, double tolerance = 1e-10) {
  const ModelStart start = model.start();
  if (!start.ok()) throw std::runtime_error(text_of(start.errors));
  RunResult r;
  r.time = start.time;
  r.state = start.state;
  r.held = start.held;
  std::vector<std::string> fixed;
  while (r.time < end && r.ended.empty() && r.events < 1000) {
    const Equations equations = model.equations(r.held);
    SolveOptions options{.span = {r.time, end}, .tolerance = {.relative = tolerance, .absolute = tolerance}};
    const auto roots = model.roots(r.time, r.state, r.held);
    for (std::size_t k = 0; k < roots.size(); ++k)
      options.events.push_back({.name = std::to_string(k),
                                .root = roots[k].value,
                                .direction = Direction::falling,
                                .terminal = true,
                                .where_undefined = roots[k].if_undefined});
    options.start = {.fixed = fixed, .after_event = r.events > 0};
    const Solution solution = solve(equations, r.state, options);
    if (!solution.ok()) throw std::runtime_error(solution.failure().message());
    r.time = solution.time(solution.size() - 1);
    const ConstSpan last = solution.state(solution.size() - 1);
    r.state.assign(last.begin(), last.end());
    const auto check = model.check(r.held, CheckedEquations::all);
    for (std::size_t i = 0; i < solution.size(); ++i)
      if (const auto worst = check->worst(solution.time(i), solution.state(i), tolerance, tolerance); worst.ratio > 10)
        throw std::runtime_error(
            fmt::format("'{}' is off by {}", model.flat().equations[worst.equation].text, worst.residual));
    if (!solution.ended_by()) break;
    ++r.events;
    const std::size_t fired = std::stoul(*solution.ended_by());
    const EventOutcome outcome = model.handle(r.time, r.state, r.held, std::span(&fired, 1));
    if (!outcome.errors.empty()) throw std::runtime_error(text_of(outcome.errors));
    if (!outcome.other_structure.empty()) throw std::runtime_error(text_of(outcome.other_structure));
    r.state = outcome.state;
    r.held = outcome.held;
    fixed = outcome.changed;
    if (outcome.terminated) r.ended = outcome.message;
  }
  Vector all(model.variables().size());
  model.results(r.held)(r.time, r.state, all);
  for (std::size_t k = 0; k < all.size(); ++k) r.values[model.variables()[k].name] = all[k];
  return r;
}

}  // namespace driftless::testing_models
