#include "driftless/modelfile/compiled/model_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/linear_row.h"
#include "driftless/modelfile/structure/nominal_values.h"
#include "driftless/modelfile/structure/sample_points.h"

namespace driftless {

namespace {

constexpr std::size_t none = HeldLayout::none;

}  // namespace

ModelEvents::ModelEvents(Reduction& reduction, const FormPlan& plan, const HeldLayout& held,
                         std::shared_ptr<const ModelEquations> equations, Engine engine)
    : held_(held), model_(reduction.model), equations_(std::move(equations)), relations_(reduction.model.relations) {
  Graph& graph = reduction.model.graph;
  std::vector<Expr> expressions;
  for (const FlatRelation& relation : relations_) expressions.push_back(relation.root);
  const std::vector<Expr> roots = expressions;
  add_whens(reduction, plan, expressions);
  add_initial_assignments(reduction.model, expressions);
  asserts_ = reduction.model.asserts;
  for (const FlatAssert& a : asserts_) {
    assert_values_.push_back(expressions.size());
    expressions.push_back(a.condition);
    for (const FlatMessageValue& number : a.message_values) expressions.push_back(number.value);
  }
  for (std::size_t k = 0; k < reduction.model.variables.size(); ++k) {
    if (held.before[k] == none) continue;
    discrete_.push_back({held.before[k], expressions.size()});
    expressions.push_back(graph.input(reduction.model.variables[k].slot));
  }
  add_resets(reduction.model);
  find_floors(reduction.model);
  const auto resolved = substitute(graph, substitute(graph, expressions, reduction.values), plan.replaced);
  reads_what_follows_ = reads_what_follows(reduction, plan, resolved);
  time_events_.emplace(reduction, held_, std::vector<Expr>(resolved.begin(), resolved.begin() + roots.size()));
  for (std::size_t k = 0; k < roots.size(); ++k)
    (time_events_->has(k) ? time_relations_ : state_relations_).push_back(k);
  formulas_ = std::make_shared<const ProbeFormulas>(reduction, plan, held_.slots, expressions, Engine::interpreter);
  watch_roots(reduction, plan, roots, engine);
}

void ModelEvents::watch_roots(Reduction& reduction, const FormPlan& plan, const std::vector<Expr>& roots,
                              Engine engine) {
  Graph& graph = reduction.model.graph;
  const auto formulas = [&](std::vector<Expr> expressions, Engine with) {
    return std::make_shared<const ProbeFormulas>(reduction, plan, held_.slots, std::move(expressions), with);
  };
  all_roots_ = formulas(roots, engine);
  for (std::size_t k = 0; k < roots.size(); ++k)
    each_root_.push_back(std::make_shared<const ProbeFormulas>(*all_roots_, k));
  std::unordered_map<std::uint32_t, Expr> along{{reduction.model.time_slot, graph.constant(1.0)}};
  std::unordered_map<std::uint32_t, Number> nominal;
  const Numbers nominals = nominals_of(reduction, plan);
  const Components components = components_of(plan);
  for (std::size_t k = 0; k < components.size(); ++k) {
    nominal[components[k].slot] = nominals[k];
    along[components[k].slot] = graph.input(components[k].rate);
  }
  const auto resolved = substitute(graph, substitute(graph, roots, reduction.values), plan.replaced);
  find_readers(reduction, plan, resolved);
  slopes_ = formulas(derivative_along(graph, resolved, along), Engine::interpreter);
  std::vector<Expr> sizes;
  for (const Expr root : resolved) {
    Expr size{};
    for (const Partial& partial : gradient(graph, root)) {
      if (!along.contains(partial.slot)) continue;
      Expr by = graph.apply(Op::abs, graph.input(partial.slot));
      if (partial.slot != reduction.model.time_slot)
        by = graph.add(by, graph.constant(Number(1e-3) * nominal.at(partial.slot)));
      size = graph.add(size, graph.multiply(graph.apply(Op::abs, partial.derivative), by));
    }
    sizes.push_back(size);
  }
  sizes_ = formulas(std::move(sizes), Engine::interpreter);
}

void ModelEvents::find_readers(const Reduction& reduction, const FormPlan& plan, std::span<const Expr> resolved) {
  std::vector<char> depends(reduction.model.slots, 0);
  for (const Component& c : components_of(plan)) depends[c.rate] = 1;
  for (const Component& c : multipliers_of(plan)) depends[c.slot] = 1;
  for (const Expr root : resolved)
    root_reads_multipliers_.push_back(std::ranges::any_of(inputs_of(reduction.model.graph, root),
                                                          [&](std::uint32_t slot) { return depends[slot] != 0; }));
}

// What is integrated: no multiplier, and no unknown whose derivative occurs nowhere.
struct ModelEvents::StateComponents {
  std::unordered_map<std::uint32_t, std::size_t> of_slot;

  StateComponents(const Reduction& reduction, const FormPlan& plan) {
    const Components components = components_of(plan);
    for (std::size_t k = 0; k < components.size(); ++k) of_slot[components[k].slot] = k;
    for (const Component& multiplier : multipliers_of(plan)) of_slot.erase(multiplier.slot);
    for (const Unknown& unknown : reduction.unknowns)
      if (!unknown.differentiated) of_slot.erase(unknown.slot);
  }
};

void ModelEvents::add_whens(Reduction& reduction, const FormPlan& plan, std::vector<Expr>& expressions) {
  if (reduction.model.whens.empty()) return;
  const StateComponents components(reduction, plan);
  std::size_t actions = 0;
  for (const FlatWhen& when : reduction.model.whens) {
    When& one = whens_.emplace_back();
    one.first_condition = conditions_;
    one.place = when.place;
    conditions_ += when.branches.size();
    for (const FlatBranch& flat : when.branches) {
      Branch branch{.condition = expressions.size(),
                    .at_initial = flat.at_initial,
                    .simultaneous = when.section != 0,
                    .actions = {}};
      expressions.push_back(flat.condition);
      for (const FlatAction& action : flat.actions) {
        Action own{.action = action, .value = expressions.size(), .messages = expressions.size() + 1};
        own.number = actions++;
        if (action.kind == FlatAction::Kind::reinit) find_component(reduction, plan, components, own);
        expressions.push_back(action.value);
        for (const FlatMessageValue& number : action.message_values) expressions.push_back(number.value);
        branch.actions.push_back(std::move(own));
      }
      one.branches.push_back(std::move(branch));
    }
  }
}

// Their roots read pre(n) of the whole part n.
void ModelEvents::find_floors(const FlatModel& model) {
  std::vector<char> whole(model.slots, 0);
  for (const FlatVariable& variable : model.variables)
    if (variable.introduced && variable.integer) whole[variable.derivative] = 1;
  for (const FlatRelation& relation : relations_) {
    const auto reads = inputs_of(model.graph, relation.root);
    of_floor_.push_back(!relation.sample &&
                        std::ranges::any_of(reads, [&](std::uint32_t slot) { return whole[slot] != 0; }));
  }
}

// If both v and pre(v) have one, that of pre(v) decides, and the other one has to come true.
void ModelEvents::add_initial_assignments(FlatModel& model, std::vector<Expr>& expressions) {
  for (const FlatInitialAssignment& one : model.initial_assignments) {
    const bool other = std::ranges::any_of(model.initial_assignments, [&](const FlatInitialAssignment& o) {
      return o.variable == one.variable && o.before && !one.before;
    });
    const FlatVariable& variable = model.variables[one.variable];
    std::optional<Number> fixed;
    if (variable.fixed && variable.start)
      fixed = start_value(model, variable, model.experiment.start_time.value_or(0.0));
    initial_assignments_.push_back({one, expressions.size(), !other, fixed});
    expressions.push_back(one.value);
    expressions.push_back(model.graph.input(one.before ? variable.derivative : variable.slot));
  }
}

// Whens of one algorithm begin together with what was before it: what they read is what is assigned above.
void ModelEvents::add_resets(const FlatModel& model) {
  std::vector<char> done(model.variables.size(), 0);
  std::size_t first = 0;  // when of the section at hand
  for (std::size_t i = 0; i < model.whens.size(); ++i) {
    if (model.whens[i].section == 0 || model.whens[i].section != model.whens[first].section) first = i;
    for (const FlatBranch& branch : model.whens[i].branches)
      for (const FlatAction& action : branch.actions) {
        if (action.kind != FlatAction::Kind::assign || done[action.variable]) continue;
        done[action.variable] = 1;
        whens_[first].resets.push_back({held_.variable[action.variable], held_.before[action.variable]});
      }
  }
}

// Derivatives, algebraic unknowns and multipliers change at an event with what they follow from.
bool ModelEvents::reads_what_follows(const Reduction& reduction, const FormPlan& plan,
                                     std::span<const Expr> resolved) const {
  const StateComponents states(reduction, plan);
  std::vector<char> follows(reduction.model.slots, 0);
  for (const Component& c : components_of(plan)) {
    follows[c.rate] = 1;
    if (!states.of_slot.contains(c.slot)) follows[c.slot] = 1;
  }
  const auto reads = inputs_of(reduction.model.graph, resolved);
  return std::ranges::any_of(reads, [&](std::uint32_t slot) { return follows[slot] != 0; });
}

// The component of the state that a reinit sets, directly or as a multiple of the variable.
void ModelEvents::find_component(Reduction& reduction, const FormPlan& plan, const StateComponents& components,
                                 Action& own) const {
  Graph& graph = reduction.model.graph;
  const FlatVariable& variable = reduction.model.variables[own.action.variable];
  const Expr value = substitute(graph, substitute(graph, graph.input(variable.slot), reduction.values), plan.replaced);
  const LinearRow row = linear_row(graph, value);
  if (row.terms.size() == 1 && graph.op(row.terms[0].node) == Op::input) {
    const auto found = components.of_slot.find(graph.slot(row.terms[0].node));
    if (found != components.of_slot.end()) {
      own.component = found->second;
      own.factor = row.terms[0].factor;
      own.offset = row.constant;
      return;
    }
  }
  if (reduction.model.is_mode) return;  // what a constraint of a mode determines is a state in others
  throw Refusal{{{own.action.place, fmt::format("reinit({}, ...): {} is not a state", variable.name, variable.name),
                  "only variables that the equations differentiate can be given a new value"}}};
}

Vector ModelEvents::values(double t, ConstSpan state, const HeldValues& held) const {
  Vector result(formulas_->size());
  ModelProbe(formulas_, equations_->equations(held), held).values(t, state, result);
  return result;
}

// What the roots of one mode share.
struct ModelEvents::Mode {
  Equations equations;
  HeldValues held;
};

// A root that is zero here is moved off zero by a little, so that the watch sees it go the wrong way.
std::vector<ModelRoot> ModelEvents::roots(double t, ConstSpan state, const HeldValues& held) const {
  std::vector<ModelRoot> result;
  const std::size_t n = relations_.size();
  if (state_relations_.empty()) return result;
  const auto mode = std::make_shared<const Mode>(Mode{equations_->equations(held), held});
  Vector sizes(n), now(n), signs(n), shifts(n), margins(n);
  ModelProbe(sizes_, mode->equations, held).values(t, state, sizes);
  const auto probe = std::make_shared<ModelProbe>(all_roots_, mode->equations, held);
  if (!probe->values(t, state, now)) std::ranges::fill(now, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < n; ++k) {
    const bool negative = (held.values[held_.relation[k]] != 0.0) == relations_[k].holds_if_negative;
    signs[k] = negative ? -1.0 : 1.0;
    margins[k] = std::isfinite(sizes[k]) ? 1e-10 * sizes[k] + 1e-300 : 0.0;
    shifts[k] = signs[k] * now[k] < margins[k] ? margins[k] - signs[k] * now[k] : 0.0;
  }
  const auto all = std::make_shared<const ModelRoot::All>(
      [probe, signs, shifts, chosen = state_relations_, every = now](double at, ConstSpan x, Span out) mutable {
        if (!probe->values(at, x, every)) std::ranges::fill(every, std::numeric_limits<double>::quiet_NaN());
        for (std::size_t k = 0; k < out.size(); ++k) out[k] = signs[chosen[k]] * every[chosen[k]] + shifts[chosen[k]];
      });
  for (const std::size_t k : state_relations_)
    result.push_back({.text = relations_[k].text,
                      .place = relations_[k].place,
                      .value = one_root(k, mode, signs[k], shifts[k]),
                      .if_undefined = held.values[held_.relation[k]] != 0.0 ? -1.0 : 1.0,
                      .reads_multipliers = root_reads_multipliers_[k] != 0,
                      .rounding = margins[k],
                      .all = all});
  return result;
}

std::function<double(double, ConstSpan)> ModelEvents::one_root(std::size_t k, std::shared_ptr<const Mode> mode,
                                                               double sign, double shift) const {
  auto probe = std::make_shared<std::unique_ptr<ModelProbe>>();  // made when it is first asked for: few are
  return [probe, formulas = each_root_[k], mode = std::move(mode), sign, shift](double at, ConstSpan x) {
    if (!*probe) *probe = std::make_unique<ModelProbe>(formulas, mode->equations, mode->held);
    double root = std::numeric_limits<double>::quiet_NaN();
    (*probe)->values(at, x, Span(&root, 1));
    return sign * root + shift;
  };
}

// As comparisons are: one with what is not a number is false.
bool ModelEvents::holds(const FlatRelation& relation, double root) const {
  if (std::isnan(root)) return false;
  if (root == 0.0) return relation.at_zero;
  return (root < 0.0) == relation.holds_if_negative;
}

std::optional<DueEvents> ModelEvents::next_due(double t, double until, const HeldValues& held,
                                               TimeSearches& searches) const {
  const auto due = time_events_->next(t, until, held, searches);
  if (!due) return std::nullopt;
  DueEvents events{due->time, {}, {}};
  for (const std::size_t relation : due->relations) {
    const auto place = std::ranges::find(time_relations_, relation) - time_relations_.begin();
    events.names.push_back(relations_[relation].text);
    events.events.push_back(state_relations_.size() + static_cast<std::size_t>(place));
  }
  return events;
}

std::string ModelEvents::message(const std::string& text, const std::vector<FlatMessageValue>& numbers,
                                 std::size_t first, const Vector& all) const {
  if (numbers.empty()) return text;
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return fill_in(text, numbers, Vector(begin, begin + static_cast<std::ptrdiff_t>(numbers.size())));
}

std::vector<Finding> ModelEvents::failed_initial(double t, ConstSpan state, const HeldValues& held) const {
  std::vector<Finding> found;
  if (initial_assignments_.empty()) return found;
  const Vector all = values(t, state, held);
  for (const InitialAssignment& one : initial_assignments_) {
    const double wanted = all[one.value], is = all[one.value + 1];
    if (wanted != is)
      found.push_back(
          {one.own.place,
           fmt::format("the initial equation '{}' cannot be met: the left side is {:.9g} and the right side "
                       "{:.9g}",
                       one.own.text, is, wanted),
           "the equations of the model give this discrete variable another value at the start"});
    else if (one.fixed && held.parameters->of(*one.fixed) != wanted)
      found.push_back({one.own.place,
                       fmt::format("the initial equation '{}' contradicts a start value that is fixed, {:.9g}",
                                   one.own.text, held.parameters->of(*one.fixed)),
                       "remove one of them"});
  }
  return found;
}

std::vector<Finding> ModelEvents::failed_asserts(double t, ConstSpan state, const HeldValues& held,
                                                 bool warnings) const {
  std::vector<Finding> found;
  if (asserts_.empty()) return found;
  const Vector all = values(t, state, held);
  for (std::size_t k = 0; k < asserts_.size(); ++k)
    if (asserts_[k].warning == warnings && all[assert_values_[k]] == 0.0)
      found.push_back({asserts_[k].place,
                       message(asserts_[k].message, asserts_[k].message_values, assert_values_[k] + 1, all),
                       {}});
  return found;
}

}  // namespace driftless
