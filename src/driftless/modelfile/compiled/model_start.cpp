// The start of a compiled model: values found, relations and discrete variables settled, the index confirmed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "driftless/core/phase.h"
#include "driftless/equations/index_check.h"
#include "driftless/linalg/rank.h"
#include "driftless/modelfile/compiled/model_content.h"

namespace driftless {

namespace {

constexpr int most_guesses = 50;

}  // namespace

ModelStart CompiledModel::Content::start(double time, const Parameters& parameters) const {
  const std::lock_guard lock(mutex_);
  const OwnNumbers own(reduction_, *parameters);
  ModelStart start = find_start(time, parameters);
  if (!start.ok()) blame_branch(start);
  return start;
}

// The first event: pre(v) is v from here on, initial() is over, and ticks of sample() may be due.
void CompiledModel::happen_at_start(const ResolveState& resolve, const LeavesBranches& leaves,
                                    ModelStart& start) const {
  EventOutcome outcome = content_->events().handle_start(start.time, start.state, held(start.held), resolve, leaves);
  if (outcome.unfinished) {
    outcome.unfinished->inputs = inputs_after(start.time, outcome.state, start.held, outcome.held);
    start.unfinished = std::move(outcome);
    return;
  }
  for (Finding& finding : outcome.errors) start.errors.push_back(std::move(finding));
  start.after_event = outcome.equations_changed || outcome.state_changed;
  start.state = std::move(outcome.state);
  start.held = std::move(outcome.held);
  start.changed = std::move(outcome.changed);
  if (!outcome.terminated) return;
  start.terminated = true;
  start.message = std::move(outcome.message);
}

ModelStart CompiledModel::start(double time, const ResolveState& resolve, const LeavesBranches& leaves) const {
  const Phase phase("start");
  ModelStart start = content_->start(time, instance_->parameters);
  if (start.ok()) happen_at_start(resolve, leaves, start);
  return start;
}

ModelStart CompiledModel::Content::find_start(double time, const Parameters& parameters) const {
  ModelStart start;
  start.time = time;
  start.held = held_.start(reduction_.model, time);
  guess_relations(start);
  const InitialSystem initial(reduction_, time);
  if (!settle(initial, start, parameters)) return start;
  const HeldValues held{start.held, parameters};
  for (Finding& finding : events_->failed_initial(time, start.state, held)) start.errors.push_back(std::move(finding));
  for (const Finding& finding : events_->failed_asserts(time, start.state, held, false))
    start.errors.push_back(finding);
  start.warnings = events_->failed_asserts(time, start.state, held, true);
  if (!start.ok()) return start;
  for (Finding& finding : confirm(time, start.state, held)) start.errors.push_back(std::move(finding));
  return start;
}

bool CompiledModel::Content::settle(const InitialSystem& initial, ModelStart& start,
                                    const Parameters& parameters) const {
  Vector before;
  for (int trial = 0; trial < most_guesses; ++trial) {
    before = start.held;
    Vector inputs(reduction_.model.slots, 0.0);
    for (std::size_t k = 0; k < held_.slots.size(); ++k) inputs[held_.slots[k]] = start.held[k];
    const InitialSystem::Outcome found = initial.solve(start.time, inputs);
    if (!found.ok()) {
      if (found.only_highest) start.errors = index_trouble(found.values, start, parameters);
      if (start.ok()) start.errors = found.errors;
      return false;
    }
    finish_start(initial, found, start, parameters);
    if (!start.ok()) return false;
    EventOutcome outcome;
    HeldValues held{start.held, parameters};
    const bool changed = events_->settle_start(start.time, start.state, held, outcome);
    start.held = held.values;
    if (!outcome.errors.empty()) {
      start.errors = outcome.errors;
      return false;
    }
    start.terminated = outcome.terminated;
    start.message = outcome.message;
    if (!changed) return true;
  }
  start.errors.push_back(
      {{},
       fmt::format("no values are found for which these would stay as they are at the start: {}",
                   fmt::join(held_.differences(reduction_.model, before, start.held), ", ")),
       "start where no condition is just about to change, and let no discrete variable depend on itself"});
  return false;
}

// If no multipliers are found, this may be because they do not act on the constraints.
std::vector<Finding> CompiledModel::Content::index_trouble(ConstSpan values, const ModelStart& start,
                                                           const Parameters& parameters) const {
  const Vector state = state_from(values);
  if (std::ranges::any_of(state, [](double x) { return !std::isfinite(x); })) return {};
  return confirm(start.time, state, {start.held, parameters});
}

// From slots to the layout of the form.
Vector CompiledModel::Content::state_from(ConstSpan values) const {
  Vector state;
  for (const Component& c : components_of(plan_))
    state.push_back(c.introduced ? evaluate(reduction_.model.graph, c.meaning, values) : values[c.slot]);
  return state;
}

// The unknowns, and what is stated of variables that are none.
void CompiledModel::Content::list_values(const InitialSystem& initial, const InitialSystem::Outcome& found,
                                         ModelStart& start) const {
  const FlatModel& model = reduction_.model;
  std::unordered_map<std::uint32_t, const StatedValue*> stated;
  for (const StatedValue& s : initial.stated())
    if (!s.eliminated) stated[model.variables[s.variable].slot] = &s;
  start.values.clear();
  for (std::size_t k = 0; k < initial.unknowns().size(); ++k) {
    const InitialUnknown& u = initial.unknowns()[k];
    if (u.order != 0) continue;
    const auto found_own = stated.find(u.slot);
    const StatedValue* own = found_own == stated.end() ? nullptr : found_own->second;
    const std::size_t variable = reduction_.unknowns[u.unknown].variable;
    const bool users = variable != no_variable;
    const double unit = users ? model.variables[variable].solver_unit : 1.0;
    start.values.push_back({.name = reduction_.unknowns[u.unknown].name,
                            .given = unit * (own ? own->start : u.guess),
                            .found = unit * found.values[u.slot],
                            .scale = unit * (own ? own->scale : u.scale),
                            .fixed = u.fixed,
                            .stated = own != nullptr,
                            .chosen = users && std::ranges::binary_search(found.chosen, k)});
  }
  std::vector<Expr> formulas;
  for (const StatedValue& s : initial.stated())
    if (s.eliminated && !s.beyond) formulas.push_back(s.value);
  Vector values(formulas.size());
  Program(model.graph, formulas, Engine::interpreter).run(found.values.data(), values.data());
  std::size_t next = 0;
  for (const StatedValue& s : initial.stated())
    if (s.eliminated && !s.beyond)
      start.values.push_back({.name = model.variables[s.variable].name,
                              .given = model.variables[s.variable].solver_unit * s.start,
                              .found = model.variables[s.variable].solver_unit * values[next++],
                              .scale = model.variables[s.variable].solver_unit * s.scale,
                              .fixed = model.variables[s.variable].fixed,
                              .stated = true});
}

// Multipliers come from the hidden constraints.
void CompiledModel::Content::finish_start(const InitialSystem& initial, const InitialSystem::Outcome& found,
                                          ModelStart& start, const Parameters& parameters) const {
  start.state = state_from(found.values);
  list_values(initial, found, start);
  const Equations equations = this->equations({start.held, parameters});
  const auto manifold = make_manifold(equations);
  const ManifoldStatus status = manifold->set_multipliers(start.time, start.state);
  if (status == ManifoldStatus::ok && std::ranges::all_of(start.state, [](double x) { return std::isfinite(x); }))
    return;
  const Failure failure =
      explain(status == ManifoldStatus::ok ? ManifoldStatus::not_finite : status, equations, start.time, start.state);
  start.errors.push_back(
      {{}, fmt::format("at the start: {} ({})", failure.what_happened, failure.where), failure.what_to_try});
}

// The multipliers whose columns of the decisive matrix vanish; all of them if none does.
Names CompiledModel::Content::idle_multipliers(const Matrix& decisive, const Layout& layout) const {
  Names idle, all;
  const std::size_t first = layout.size() - decisive.cols();
  double largest = 0.0;
  for (std::size_t k = 0; k < decisive.rows() * decisive.cols(); ++k)
    largest = std::max(largest, std::abs(decisive.data()[k]));
  for (std::size_t j = 0; j < decisive.cols(); ++j) {
    double size = 0.0;
    for (std::size_t i = 0; i < decisive.rows(); ++i) size = std::max(size, std::abs(decisive(i, j)));
    all.push_back(layout.name(first + j));
    if (size <= 1e-10 * largest) idle.push_back(all.back());
  }
  return idle.empty() ? all : idle;
}

std::vector<Finding> CompiledModel::Content::confirm(double t, ConstSpan state, const HeldValues& held) const {
  const Equations equations = this->equations(held);
  const IndexReport report = check_index(equations, t, state);
  if (report.satisfied) return {};
  const bool has_multipliers = !std::holds_alternative<Index1>(equations);
  if (has_multipliers && !report.redundant.empty()) return {};  // multipliers of least norm will do
  Matrix decisive;
  const ManifoldStatus status = make_manifold(equations)->decisive_matrix(t, state, decisive);
  if (status != ManifoldStatus::ok) {
    const Failure failure = explain(status, equations, t, state);
    return {{{}, fmt::format("at the start: {} ({})", failure.what_happened, failure.where), failure.what_to_try}};
  }
  const auto constraints = constraints_of(plan_);
  if (constraints.empty())
    return {
        {place_of_algebraic(),
         fmt::format("the algebraic equations do not determine the algebraic variables at the start (rank {} of {})",
                     report.rank, report.constraints),
         "start elsewhere if this happens at one point only; otherwise the equations depend on each other and the "
         "index is higher than 1"}};
  const Names idle = idle_multipliers(decisive, layout_of(equations));
  Names texts;
  for (const Constraint& c : constraints) texts.push_back(c.name);
  if (texts.size() > 6) texts.resize(6);
  return {{place_of(reduction_.model, reduction_.rows[constraints[0].row]),
           fmt::format("{} not enforce {}: the matrix that decides the index has rank {} of {}",
                       idle.size() == 1 ? fmt::format("{} does", idle[0])
                                        : fmt::format("{} together do", fmt::join(idle, ", ")),
                       fmt::join(texts, ", "), report.rank, report.constraints),
           fmt::format("let {} act along the gradients of the constraints; as it is, the index is higher than {}, or "
                       "there is no unique solution",
                       idle.size() == 1 ? "it" : "them", index_of(equations))}};
}

SourcePlace CompiledModel::Content::place_of_algebraic() const {
  for (const Row& row : reduction_.rows)
    if (!row.has_derivative && !row.equations.empty()) return place_of(reduction_.model, row);
  return {};
}

}  // namespace driftless
