// A compiled model from its start to an end, events included: what the program does, without output.
#pragma once

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

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
  Vector state;
  std::map<std::string, double> values;  // at the end
  std::size_t events = 0;
  std::string ended;  // why, if not at the end
};

inline RunResult results_of(const CompiledModel& model, const Stretch& stretch) {
  RunResult r{.time = stretch.begin, .state = stretch.start, .values = {}, .events = 0, .ended = ""};
  Vector all(model.variables().size());
  stretch.results(r.time, r.state, all);
  for (std::size_t k = 0; k < all.size(); ++k) r.values[model.variables()[k].name] = all[k];
  return r;
}

inline RunResult run(const CompiledModel& model, double end, double tolerance = 1e-10) {
  const TextModel source(model);
  if (end == source.begin) return results_of(model, source.start(end).stretch);
  SimulateOptions options{.solve = {.span = {source.begin, end}, .tolerance = {tolerance, tolerance}}, .verify = true};
  options.solve.event_limit = 1000;
  const Simulation simulation = simulate(source, options);
  simulation.or_throw();
  RunResult r{.time = simulation.t,
              .state = simulation.state,
              .values = {},
              .events = simulation.events,
              .ended = simulation.ended_by.value_or("")};
  for (std::size_t k = 0; k < model.variables().size(); ++k)
    r.values[model.variables()[k].name] = simulation.results[k];
  return r;
}

}  // namespace driftless::testing_models
