#include "driftless/modelfile/compiled/compiled_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <unordered_set>

#include "driftless/core/phase.h"
#include "driftless/modelfile/compiled/model_content.h"
#include "driftless/modelfile/compiled/written_constraints.h"
#include "driftless/modelfile/structure/expression_text.h"
#include "driftless/modelfile/structure/linear_row.h"
#include "driftless/modelfile/structure/nominal_units.h"
#include "driftless/modelfile/structure/nominal_values.h"
#include "driftless/modelfile/structure/wide_roles.h"

namespace driftless {

const char* name_of(VariableRole role) {
  switch (role) {
    case VariableRole::position: return "position";
    case VariableRole::velocity: return "velocity";
    case VariableRole::state: return "state";
    case VariableRole::algebraic: return "algebraic";
    case VariableRole::multiplier: return "multiplier";
    case VariableRole::alias: return "alias";
    case VariableRole::constant: return "constant";
    case VariableRole::computed: return "computed";
    case VariableRole::discrete: return "discrete";
    case VariableRole::input: return "input";
  }
  return "?";
}

bool StartValue::moved() const {
  return stated && !(std::abs(found - given) <= 1e-10 * std::max(scale, std::abs(given)));
}

namespace {

FlatModel in_units(FlatModel model, const CompileOptions& options) {
  if (options.nominal_units) use_nominal_units(model);
  return model;
}

struct Place {
  VariableRole role = VariableRole::computed;
  std::string of = {};
};

// The parts of all components in their form, by slot.
std::unordered_map<std::uint32_t, Place> places_in(const FlatModel& model, const FormPlan& plan) {
  std::unordered_map<std::uint32_t, Place> places;
  const auto put = [&](const Components& part, VariableRole role) {
    for (const Component& c : part) places[c.slot] = {role};
  };
  struct Visitor {
    decltype(put)& add;
    const FlatModel& model;
    std::unordered_map<std::uint32_t, Place>& places;
    void operator()(const Index1Plan& p) const { add(p.x, VariableRole::state); }
    void operator()(const Index2Plan& p) const {
      add(p.u, VariableRole::state);
      add(p.lambda, VariableRole::multiplier);
    }
    void operator()(const Index3Plan& p) const {
      add(p.u, VariableRole::position);
      add(p.v, VariableRole::state);
      add(p.lambda, VariableRole::multiplier);
    }
    void operator()(const MechanicalPlan& p) const {
      add(p.q, VariableRole::position);
      add(p.s, VariableRole::state);
      add(p.lambda, VariableRole::multiplier);
      for (std::size_t k = 0; k < p.v.size(); ++k) places[p.v[k].slot] = {VariableRole::velocity, p.q[k].name};
    }
    void operator()(const WidePlan& p) const {
      const WideRoles roles = wide_roles(model.graph, model.slots, p);
      add(roles.positions, VariableRole::position);
      add(roles.velocities, VariableRole::velocity);
      add(roles.states, VariableRole::state);
      add(p.lambda, VariableRole::multiplier);
      const auto name_what_moves = [&](const Components& moved, const std::vector<Expr>& rates) {  // q' = v
        for (std::size_t k = 0; k < moved.size(); ++k)
          if (model.graph.op(rates[k]) == Op::input)
            if (Place& place = places[model.graph.slot(rates[k])]; place.role == VariableRole::velocity)
              place.of = moved[k].name;
      };
      name_what_moves(p.q, p.rates);
      name_what_moves(p.s, p.states);
    }
  };
  std::visit(Visitor{put, model, places}, plan.form);
  return places;
}

std::string form_words(const FormPlan& plan) {
  if (solves_nothing(plan)) return "nothing to solve for: functions of time, and what events change";
  struct Visitor {
    int index;
    std::string operator()(const Index1Plan& p) const {
      return index == 0 ? fmt::format("ordinary differential equations with {} states", p.x.size())
                        : fmt::format("P x' = f(x, t) of index 1 with {} unknowns", p.x.size());
    }
    std::string operator()(const Index2Plan& p) const {
      const std::string matrix = p.rates.is_explicit() ? "" : "Gamma(u, t) ";
      if (p.lambda.empty())
        return fmt::format("ordinary differential equations {}u' = f(u, t) with {} states", matrix, p.u.size());
      return fmt::format("{}u' = f(u, lambda, t), 0 = g(u, t) of index 2 with {} states and {} multipliers", matrix,
                         p.u.size(), p.lambda.size());
    }
    std::string operator()(const Index3Plan& p) const {
      return fmt::format(
          "u' = f(u, v, t), v' = k(u, v, lambda, t), 0 = g(u, t) of index 3 with {} positions, {} "
          "velocities and {} multipliers",
          p.u.size(), p.v.size(), p.lambda.size());
    }
    std::string operator()(const MechanicalPlan& p) const {
      return fmt::format("mechanical system{} with {} coordinates, {} other states and {} multipliers",
                         p.lambda.empty() ? "" : " of index 3", p.q.size(), p.s.size(), p.lambda.size());
    }
    std::string operator()(const WidePlan& p) const {
      return fmt::format(
          "mechanical system of index {} in the wide form q' = T(q) v{} with {} coordinates, {} velocities, {} other "
          "states; constraints on positions: {}, on velocities (nonholonomic ones among them): {}",
          p.g.empty() ? 2 : 3, p.h.empty() ? "" : ", 0 = A(q) v + b", p.q.size(), p.v.size(), p.s.size(), p.g.size(),
          p.h.size());
    }
  };
  return std::visit(Visitor{plan.index}, plan.form);
}

std::atomic<std::size_t> compiled_models{0};

}  // namespace

CompiledModel::Content::Content(FlatModel model, const CompileOptions& options)
    : engine_(options.engine),
      reduction_(reduce(in_units(std::move(model), options))),
      trace_(reduction_.model.graph.trace()),
      plan_(plan_form(reduction_)),
      held_(reduction_.model),
      modes_(reduction_, held_),
      equations_(make_model_equations(reduction_, plan_, held_.slots, engine_)),
      events_(std::make_unique<const ModelEvents>(reduction_, plan_, held_, equations_, engine_)),
      nominals_(nominals_of(reduction_, plan_)),
      units_(units_of(reduction_, plan_)),
      form_(form_words(plan_)),
      eliminated_(count_eliminated()) {}

Equations CompiledModel::Content::equations(HeldValues held) const {
  const Vector sizes = nominals(*held.parameters);
  Equations equations = equations_->equations(std::move(held));
  set_sizes(equations, sizes);
  return equations;
}

Vector CompiledModel::Content::nominals(const ParameterValues& parameters) const {
  Vector values;
  for (const Number nominal : nominals_) values.push_back(parameters.of(nominal));
  return values;
}

std::vector<WrittenConstraint> CompiledModel::Content::written(const Parameters& parameters) const {
  return written_constraints(plan_, equations({Vector(held_.slots.size(), 0.0), parameters}), *parameters);
}

Graph CompiledModel::Content::graph(const ParameterValues& parameters) const {
  const std::lock_guard lock(mutex_);
  return reduction_.model.graph.with_values(parameters.all());
}

std::size_t CompiledModel::Content::count_eliminated() const {
  std::unordered_set<std::uint32_t> unknowns;
  for (const Unknown& unknown : reduction_.unknowns) unknowns.insert({unknown.slot, unknown.derivative});
  return static_cast<std::size_t>(std::ranges::count_if(reduction_.model.variables, [&](const FlatVariable& variable) {
    return !variable.discrete && !unknowns.contains(variable.slot);
  }));
}

std::vector<ModelVariable> CompiledModel::Content::variables(const ParameterValues& parameters) const {
  const std::lock_guard lock(mutex_);
  const OwnNumbers own(reduction_, parameters);
  return describe_variables();
}

std::vector<ModelVariable> CompiledModel::Content::describe_variables() const {
  std::vector<ModelVariable> variables;
  variables.reserve(reduction_.model.variables.size());
  SlotUses uses;
  for (std::size_t k = 0; k < reduction_.unknowns.size(); ++k) {
    uses[reduction_.unknowns[k].slot] = {k, false};
    uses[reduction_.unknowns[k].derivative] = {k, true};
  }
  const auto places = places_in(reduction_.model, plan_);
  for (const FlatVariable& variable : reduction_.model.variables) {
    const auto unknown = uses.find(variable.slot);
    if (variable.introduced) continue;
    ModelVariable& described = variables.emplace_back(describe(variable, uses));
    if (variable.discrete || variable.input || unknown == uses.end()) continue;
    const auto replaced = plan_.replaced.find(variable.slot);
    const std::uint32_t slot = replaced == plan_.replaced.end()
                                   ? variable.slot  // else the component, which is newer than all in its factor
                                   : std::ranges::max(inputs_of(reduction_.model.graph, replaced->second));
    const Place& place = places.at(slot);
    const bool algebraic =
        place.role == VariableRole::state && !reduction_.unknowns[unknown->second.unknown].differentiated;
    described.role = algebraic ? VariableRole::algebraic : place.role;
    described.of = place.of;
  }
  return variables;
}

// What can be said without knowing the form.
ModelVariable CompiledModel::Content::describe(const FlatVariable& variable, const SlotUses& uses) const {
  ModelVariable result;
  result.name = variable.name;
  result.unit = variable.unit;
  result.description = variable.description;
  result.place = variable.place;
  if (variable.input) result.role = VariableRole::input;
  if (variable.discrete) result.role = VariableRole::discrete;
  const auto value = reduction_.values.find(variable.slot);
  if (variable.input || variable.discrete || value == reduction_.values.end()) return result;
  const Graph& graph = reduction_.model.graph;
  const LinearRow row = linear_row(graph, value->second);
  if (row.terms.empty()) {
    result.role = VariableRole::constant;
    result.of = fmt::format("{:.9g}", row.constant.pinned() * variable.solver_unit);
  }
  if (row.terms.size() != 1 || graph.op(row.terms[0].node) != Op::input) return result;
  const auto use = uses.find(graph.slot(row.terms[0].node));
  if (use == uses.end()) return result;
  const Unknown& unknown = reduction_.unknowns[use->second.unknown];
  result.role = VariableRole::alias;
  const Expr shown = in_the_units_of(variable, row, unknown);
  result.of = expression_text(graph, shown, [&](std::uint32_t) {
    return use->second.derivative ? fmt::format("der({})", unknown.name) : unknown.name;
  });
  return result;
}

// The row of one unknown, both in the units of the user.
Expr CompiledModel::Content::in_the_units_of(const FlatVariable& variable, LinearRow row,
                                             const Unknown& unknown) const {
  const double own = unknown.variable == no_variable ? 1.0 : reduction_.model.variables[unknown.variable].solver_unit;
  row.constant *= variable.solver_unit;
  row.terms[0].factor *= variable.solver_unit / own;
  return to_expr(reduction_.model.graph, row);
}

std::vector<ModelConstraint> CompiledModel::Content::constraints(const ParameterValues& parameters) const {
  std::vector<ModelConstraint> constraints;
  const auto add = [&](const Row& row, int level, double scale) {
    if (row.equations.empty()) return;
    std::string text = reduction_.model.equations[row.equations[0]].text;
    for (std::size_t k = 1; k < row.equations.size(); ++k)
      text += " with " + reduction_.model.equations[row.equations[k]].text;
    constraints.push_back({text, place_of(reduction_.model, row), level, scale});
  };
  std::vector<char> listed(reduction_.rows.size(), 0);
  for (const Constraint& c : constraints_of(plan_)) {
    add(reduction_.rows[c.row], c.level, parameters.of(c.scale));
    listed[c.row] = 1;
  }
  for (std::size_t i = 0; i < reduction_.rows.size(); ++i)
    if (!listed[i] && !reduction_.rows[i].has_derivative) add(reduction_.rows[i], 1, 1.0);
  return constraints;
}

Expr CompiledModel::Content::in_the_users_unit(const FlatVariable& variable) const {
  Graph& graph = reduction_.model.graph;
  const Expr value = graph.input(variable.slot);
  return variable.solver_unit == 1.0 ? value : graph.multiply(graph.constant(variable.solver_unit), value);
}

std::shared_ptr<const ProbeFormulas> CompiledModel::Content::results() const {
  const std::lock_guard lock(mutex_);
  if (!results_) {
    const GraphAddition addition(reduction_.model.graph);
    std::vector<Expr> values;
    for (const FlatVariable& variable : reduction_.model.variables)
      if (!variable.introduced) values.push_back(in_the_users_unit(variable));
    results_ = std::make_shared<const ProbeFormulas>(reduction_, plan_, held_.slots, values, engine_);
  }
  return results_;
}

std::shared_ptr<const EquationFormulas> CompiledModel::Content::checked(CheckedEquations which) const {
  const std::lock_guard lock(mutex_);
  auto& formulas = which == CheckedEquations::all ? all_equations_ : eliminated_equations_;
  if (!formulas) {
    const GraphAddition addition(reduction_.model.graph);
    formulas = std::make_shared<const EquationFormulas>(reduction_, plan_, held_.slots, which);
  }
  return formulas;
}

const FlatModel& CompiledModel::flat() const { return content_->flat(); }
int CompiledModel::index() const { return content_->plan().index; }
const std::string& CompiledModel::form() const { return content_->form(); }
const std::string& CompiledModel::not_mechanical() const { return content_->not_mechanical(); }
const std::vector<ModelVariable>& CompiledModel::variables() const { return described().variables; }
const std::vector<ModelConstraint>& CompiledModel::constraints() const { return described().constraints; }
std::size_t CompiledModel::eliminated() const { return content_->eliminated(); }
const std::vector<WrittenConstraint>& CompiledModel::written() const { return instance_->written; }
const Vector& CompiledModel::nominals() const { return instance_->nominals; }
const Vector& CompiledModel::units() const { return content_->units(); }
ModelStart CompiledModel::start() const { return start(flat().experiment.start_time.value_or(0.0)); }
Equations CompiledModel::equations(ConstSpan values) const { return content_->equations(held(values)); }
std::vector<Finding> CompiledModel::confirm(double t, ConstSpan state, ConstSpan values) const {
  return content_->confirm(t, state, held(values));
}
std::vector<ModelRoot> CompiledModel::roots(double t, ConstSpan state, ConstSpan values) const {
  return content_->events().roots(t, state, held(values));
}
bool CompiledModel::has_events() const { return content_->events().any(); }
std::optional<DueEvents> CompiledModel::next_due(double t, double until, ConstSpan values,
                                                 TimeSearches& searches) const {
  return content_->events().next_due(t, until, held(values), searches);
}
EventOutcome CompiledModel::handle(double t, ConstSpan state, ConstSpan values, std::span<const std::size_t> fired,
                                   const ResolveState& resolve) const {
  return handle({.time = t, .state = state, .fired = fired}, values, resolve);
}
EventOutcome CompiledModel::handle(const EventMoment& moment, ConstSpan values, const ResolveState& resolve) const {
  const HeldValues before = held(values);
  EventOutcome outcome = content_->events().handle(moment, before, resolve);
  if (outcome.unfinished && outcome.unfinished->other_branches)
    outcome.unfinished->inputs = inputs_after(moment.time, outcome.state, values, outcome.held);
  else if (outcome.unfinished)
    outcome.unfinished->inputs = inputs(moment.time, outcome.state, outcome.held);
  else if (outcome.errors.empty() && !outcome.terminated && moment.kind != EventMoment::Kind::end)
    outcome.other_structure = content_->mode_trouble(moment.time, outcome.state, before, held(outcome.held));
  return outcome;
}
std::vector<OtherStructure> CompiledModel::other_structures(ConstSpan values) const {
  const Phase phase("other branches");
  return content_->other_structures(held(values));
}
std::vector<Finding> CompiledModel::failed_asserts(double t, ConstSpan state, ConstSpan values) const {
  return content_->events().failed_asserts(t, state, held(values), false);
}

std::shared_ptr<EquationCheck> CompiledModel::check(ConstSpan values, CheckedEquations which) const {
  return std::make_shared<EquationCheck>(content_->checked(which), equations(values), held(values));
}

CompiledModel::ResultFunction CompiledModel::results(ConstSpan values) const {
  auto probe = std::make_shared<ModelProbe>(content_->results(), equations(values), held(values));
  return [probe](double t, ConstSpan state, Span out) {
    if (!probe->values(t, state, out)) std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
  };
}

std::size_t compilations() { return compiled_models.load(std::memory_order_relaxed); }

Compilation compile(FlatModel model, const CompileOptions& options) {
  const Phase phase("structure and formulas");
  Compilation result;
  // What is remembered of every number and decision has a price, and large models pay it for nothing.
  constexpr std::size_t most_equations = 20'000;
  if (model.equations.size() > most_equations) forget_parameters(model);
  compiled_models.fetch_add(1, std::memory_order_relaxed);
  const std::shared_ptr<ParameterTrace> trace = model.graph.trace();
  const Tracing tracing(trace.get());
  try {
    result.model.emplace(std::make_shared<const CompiledModel::Content>(std::move(model), options));
  } catch (Refusal& refusal) {
    result.errors = std::move(refusal.findings);
  }
  return result;
}

}  // namespace driftless
