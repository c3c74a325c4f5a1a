// The start of a compiled model: values found, relations and discrete variables settled, the index confirmed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "driftless/equations/index_check.h"
#include "driftless/linalg/rank.h"
#include "driftless/modelfile/model_content.h"

namespace driftless {

namespace {

constexpr int most_trials = 50;

}  // namespace

ModelStart CompiledModel::Content::start(double time) const {
  const std::lock_guard lock(mutex_);
  ModelStart start;
  start.time = time;
  start.held = held_.start(reduction_.model, time);
  const InitialSystem initial(reduction_, time);
  if (!settle(initial, start)) return start;
  for (const Finding& finding : events_->failed_asserts(time, start.state, start.held, false))
    start.errors.push_back(finding);
  start.warnings = events_->failed_asserts(time, start.state, start.held, true);
  if (!start.ok()) return start;
  for (Finding& finding : confirm(time, start.state, start.held)) start.errors.push_back(std::move(finding));
  return start;
}

bool CompiledModel::Content::settle(const InitialSystem& initial, ModelStart& start) const {
  for (int trial = 0; trial < most_trials; ++trial) {
    Vector inputs(reduction_.model.slots, 0.0);
    for (std::size_t k = 0; k < held_.slots.size(); ++k) inputs[held_.slots[k]] = start.held[k];
    const InitialSystem::Outcome found = initial.solve(start.time, inputs);
    if (!found.ok()) {
      start.errors = found.errors;
      return false;
    }
    finish_start(initial, found.values, start);
    if (!start.ok()) return false;
    EventOutcome outcome;
    const bool changed = events_->settle_start(start.time, start.state, start.held, outcome);
    if (!outcome.errors.empty()) {
      start.errors = outcome.errors;
      return false;
    }
    start.terminated = outcome.terminated;
    start.message = outcome.message;
    if (changed) continue;
    if (!held_.initial || start.held[*held_.initial] == 0.0) return true;
    start.held[*held_.initial] = 0.0;  // initial() is over
    return true;
  }
  start.errors.push_back({{},
                          "the relations and discrete variables find no values that fit together at the start",
                          "start where no condition is just about to change"});
  return false;
}

// From slots to the layout of the form; multipliers from the hidden constraints.
void CompiledModel::Content::finish_start(const InitialSystem& initial, ConstSpan values, ModelStart& start) const {
  const Components components = components_of(plan_);
  start.state.assign(components.size(), 0.0);
  for (std::size_t i = 0; i < components.size(); ++i)
    start.state[i] = components[i].introduced ? evaluate(reduction_.model.graph, components[i].meaning, values)
                                              : values[components[i].slot];
  start.values.clear();
  for (const InitialUnknown& u : initial.unknowns())
    if (u.order == 0)
      start.values.push_back({initial.name_of(u.slot), u.guess, values[u.slot], u.fixed, u.given});
  const Equations equations = this->equations(start.held);
  const auto manifold = make_manifold(equations);
  const ManifoldStatus status = manifold->set_multipliers(start.time, start.state);
  if (status == ManifoldStatus::ok && std::ranges::all_of(start.state, [](double x) { return std::isfinite(x); })) return;
  const Failure failure = explain(status == ManifoldStatus::ok ? ManifoldStatus::not_finite : status, equations,
                                  start.time, start.state);
  start.errors.push_back({{}, fmt::format("at the start: {} ({})", failure.what_happened, failure.where), failure.what_to_try});
}

std::vector<Finding> CompiledModel::Content::confirm(double t, ConstSpan state, ConstSpan held) const {
  const Equations equations = this->equations(held);
  const IndexReport report = check_index(equations, t, state);
  if (report.satisfied || report.constraints == 0 || !report.redundant.empty()) return {};
  return {{{}, report.verdict, {}}};
}

}  // namespace driftless
