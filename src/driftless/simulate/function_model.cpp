#include "driftless/simulate/function_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/integrate/consistent_start.h"

namespace driftless {

namespace {

void require_finite(std::string_view parameter, double value) {
  if (!std::isfinite(value)) throw Misuse(fmt::format("the parameter '{}' cannot be {}", parameter, value));
}

Parameters values_of(const std::vector<Parameter>& parameters) {
  Names names;
  Vector values;
  for (const Parameter& parameter : parameters) {
    if (std::ranges::find(names, parameter.name) != names.end())
      throw Misuse(fmt::format("the parameter '{}' is there twice", parameter.name));
    require_finite(parameter.name, parameter.value);
    names.push_back(parameter.name);
    values.push_back(parameter.value);
  }
  return {std::move(names), std::move(values)};
}

}  // namespace

FunctionModel::FunctionModel(FunctionModelParts parts)
    : parts_(std::move(parts)), parameters_(values_of(parts_.parameters)) {
  if (!parts_.equations || !parts_.start) throw Misuse("a model needs equations and a start");
  for (const NamedEvent& event : parts_.events)
    if (!event.root) throw Misuse(fmt::format("the event '{}' has no root", event.name));
  name = parts_.name;
  begin = parts_.begin;
  end = parts_.end;
  describe();
}

void FunctionModel::describe() {
  const Equations equations = parts_.equations(parameters_);
  const Layout& layout = layout_of(equations);
  results.clear();
  for (const Block& block : layout.blocks())
    for (std::size_t i = block.begin; i < block.begin + block.size; ++i)
      results.push_back({layout.name(i), "", "", block.symbol});
}

void FunctionModel::set(std::string_view parameter, double value) {
  require_finite(parameter, value);
  parameters_.set(parameter, value);
  describe();
}

Start FunctionModel::start(double t) const {
  const Equations equations = parts_.equations(parameters_);
  const auto consistent = make_consistent(equations, t, parts_.start(parameters_));
  if (!consistent.ok()) throw FailedRun(consistent.failure());
  return start_of(*consistent, stretch(t, consistent->state));
}

std::variant<Stretch, ModelEnd> FunctionModel::after(const Stretch& before, double t, ConstSpan state,
                                                     const std::vector<std::size_t>& events) const {
  Vector changed(state.begin(), state.end());
  const Names& names = layout_of(before.equations).names();
  std::optional<std::string> ended;
  for (const std::size_t k : events) {
    const NamedEvent& event = parts_.events[k];
    if (event.jump) event.jump(t, {Span(changed), names}, parameters_);
    if (event.terminal) ended = event.name;
  }
  Stretch next = stretch(t, std::move(changed));
  next.after_event = true;
  if (ended) return ModelEnd{*ended, std::nullopt, std::move(next)};
  return next;
}

// Events that change nothing are only recorded; the run goes on.
Stretch FunctionModel::stretch(double t, Vector state) const {
  Stretch one{.begin = t, .equations = parts_.equations(parameters_), .start = std::move(state)};
  const Names names = layout_of(one.equations).names();
  for (const NamedEvent& event : parts_.events)
    one.events.push_back({.name = event.name,
                          .root =
                              [root = event.root, names, parameters = parameters_](double at, ConstSpan x) {
                                return root(at, {x, names}, parameters);
                              },
                          .direction = event.direction,
                          .terminal = event.terminal || event.jump});
  one.results = [](double, ConstSpan x, Span out) {
    if (x.size() != out.size()) throw Misuse("a parameter that changes the unknowns was set after the start was made");
    std::ranges::copy(x, out.begin());
  };
  return one;
}

}  // namespace driftless
