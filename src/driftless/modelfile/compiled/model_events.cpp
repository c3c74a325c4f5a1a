#include "driftless/modelfile/compiled/model_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/linear_row.h"
#include "driftless/modelfile/structure/nominal_values.h"

namespace driftless {

namespace {

constexpr std::size_t none = SIZE_MAX;
constexpr int most_iterations = 100;

}  // namespace

// What an event works on.
struct ModelEvents::Iteration {
  double t;
  Vector state, held;
  Vector at_begin;        // the roots, before anything was changed
  std::vector<char> was;  // conditions, one after another
  std::vector<std::pair<std::size_t, double>> reinits;
  EventOutcome outcome;
};

ModelEvents::ModelEvents(Reduction& reduction, const FormPlan& plan, const HeldLayout& held,
                         std::shared_ptr<const ModelEquations> equations, Engine engine)
    : held_(held), equations_(std::move(equations)), relations_(reduction.model.relations) {
  Graph& graph = reduction.model.graph;
  std::vector<Expr> expressions;
  for (const FlatRelation& relation : relations_) expressions.push_back(relation.root);
  const std::vector<Expr> roots = expressions;
  add_whens(reduction, plan, expressions);
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
  std::unordered_map<std::uint32_t, double> nominal;
  const Vector nominals = nominals_of(reduction, plan);
  const Components components = components_of(plan);
  for (std::size_t k = 0; k < components.size(); ++k) {
    nominal[components[k].slot] = nominals[k];
    along[components[k].slot] = graph.input(components[k].rate);
  }
  const auto resolved = substitute(graph, substitute(graph, roots, reduction.values), plan.replaced);
  slopes_ = formulas(derivative_along(graph, resolved, along), Engine::interpreter);
  std::vector<Expr> sizes;
  for (const Expr root : resolved) {
    Expr size{};
    for (const Partial& partial : gradient(graph, root)) {
      if (!along.contains(partial.slot)) continue;
      Expr by = graph.apply(Op::abs, graph.input(partial.slot));
      if (partial.slot != reduction.model.time_slot)
        by = graph.add(by, graph.constant(1e-3 * nominal.at(partial.slot)));
      size = graph.add(size, graph.multiply(graph.apply(Op::abs, partial.derivative), by));
    }
    sizes.push_back(size);
  }
  sizes_ = formulas(std::move(sizes), Engine::interpreter);
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
  for (const FlatWhen& when : reduction.model.whens) {
    auto& branches = whens_.emplace_back();
    for (const FlatBranch& flat : when.branches) {
      Branch branch{.condition = expressions.size(), .at_initial = flat.at_initial, .actions = {}};
      expressions.push_back(flat.condition);
      for (const FlatAction& action : flat.actions) {
        Action own{.action = action, .value = expressions.size(), .messages = expressions.size() + 1};
        expressions.push_back(action.value);
        for (const FlatMessageValue& number : action.message_values) expressions.push_back(number.value);
        if (action.kind == FlatAction::Kind::reinit) find_component(reduction, plan, components, own);
        branch.actions.push_back(std::move(own));
      }
      branches.push_back(std::move(branch));
    }
  }
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
  throw Refusal{{{own.action.place, fmt::format("reinit({}, ...): {} is not a state", variable.name, variable.name),
                  "only variables that the equations differentiate can be given a new value"}}};
}

Vector ModelEvents::values(double t, ConstSpan state, ConstSpan held) const {
  Vector result(formulas_->size());
  const Vector copy(held.begin(), held.end());
  ModelProbe(formulas_, equations_->equations(copy), copy).values(t, state, result);
  return result;
}

// What the roots of one mode share.
struct ModelEvents::Mode {
  Equations equations;
  Vector held;
};

// A root that is zero here is moved off zero by a little, so that the watch sees it go the wrong way.
std::vector<ModelRoot> ModelEvents::roots(double t, ConstSpan state, ConstSpan held) const {
  std::vector<ModelRoot> result;
  const std::size_t n = relations_.size();
  if (n == 0) return result;
  const Vector copy(held.begin(), held.end());
  const auto mode = std::make_shared<const Mode>(Mode{equations_->equations(copy), copy});
  Vector sizes(n), now(n), signs(n), shifts(n);
  ModelProbe(sizes_, mode->equations, copy).values(t, state, sizes);
  const auto probe = std::make_shared<ModelProbe>(all_roots_, mode->equations, copy);
  if (!probe->values(t, state, now)) std::ranges::fill(now, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < n; ++k) {
    const bool negative = (held[held_.relation[k]] != 0.0) == relations_[k].holds_if_negative;
    signs[k] = negative ? -1.0 : 1.0;
    const double margin = std::isfinite(sizes[k]) ? 1e-10 * sizes[k] + 1e-300 : 0.0;
    shifts[k] = signs[k] * now[k] < margin ? margin - signs[k] * now[k] : 0.0;
  }
  const auto all = std::make_shared<const ModelRoot::All>([probe, signs, shifts](double at, ConstSpan x, Span out) {
    if (!probe->values(at, x, out)) std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = signs[k] * out[k] + shifts[k];
  });
  for (std::size_t k = 0; k < n; ++k)
    result.push_back({.text = relations_[k].text,
                      .place = relations_[k].place,
                      .value = one_root(k, mode, signs[k], shifts[k]),
                      .if_undefined = held[held_.relation[k]] != 0.0 ? -1.0 : 1.0,
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

// Whether the root passes zero within rounding of this moment. What the slope promises must happen: near the edge of
// its domain that of sqrt(x) or log(x) is as large as can be, and zero far away.
bool ModelEvents::crosses_at_once(const Iteration& now, std::size_t relation, double slope, ConstSpan rates) const {
  const double root = now.at_begin[relation], window = 1e-9 * std::abs(now.t) + 1e-14;
  if (slope == 0.0 || !(std::abs(root) <= window * std::abs(slope))) return false;
  if (root == 0.0) return true;
  const double by = (root < 0.0) == (slope < 0.0) ? -2.0 * window : 2.0 * window;
  Vector moved = now.state;
  for (std::size_t i = 0; i < rates.size(); ++i) moved[i] += by * rates[i];
  double there = std::numeric_limits<double>::quiet_NaN();
  ModelProbe(each_root_[relation], equations_->equations(now.held), now.held)
      .values(now.t + by, moved, Span(&there, 1));
  return root < 0.0 ? there >= 0.0 : there <= 0.0;
}

// Those that fired, and those whose root is at the same moment and goes the same way.
void ModelEvents::flip_relations(Iteration& now, std::span<const std::size_t> fired) const {
  if (relations_.empty()) return;
  Vector slopes(relations_.size(), 0.0);
  ModelProbe probe(slopes_, equations_->equations(now.held), now.held);
  probe.values(now.t, now.state, slopes);
  Vector held = now.held;
  for (std::size_t k = 0; k < relations_.size(); ++k) {
    double& value = held[held_.relation[k]];
    const bool next = (slopes[k] < 0.0) == relations_[k].holds_if_negative;
    if (std::ranges::find(fired, k) != fired.end())
      value = 1.0 - value;
    else if (crosses_at_once(now, k, slopes[k], probe.rates()))
      value = next ? 1.0 : 0.0;
  }
  now.held = std::move(held);
}

// A root that something has moved decides by its sign.
bool ModelEvents::update_relations(Iteration& now) const {
  const Vector all = values(now.t, now.state, now.held);
  bool changed = false;
  for (std::size_t k = 0; k < relations_.size(); ++k) {
    const double moved = std::abs(all[k] - now.at_begin[k]);
    const bool became = std::isnan(all[k]) != std::isnan(now.at_begin[k]);
    if (!became && !(moved > 1e-12 * (std::abs(all[k]) + std::abs(now.at_begin[k])))) continue;
    now.at_begin[k] = all[k];
    double& value = now.held[held_.relation[k]];
    const double next = holds(relations_[k], all[k]) ? 1.0 : 0.0;
    changed |= value != next;
    value = next;
  }
  return changed;
}

bool ModelEvents::update_before(Iteration& now) const {
  const Vector all = values(now.t, now.state, now.held);
  bool changed = false;
  for (const Discrete& d : discrete_) {
    changed |= now.held[d.before] != all[d.value];
    now.held[d.before] = all[d.value];
  }
  return changed;
}

std::string ModelEvents::message(const std::string& text, const std::vector<FlatMessageValue>& numbers,
                                 std::size_t first, const Vector& all) const {
  if (numbers.empty()) return text;
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return fill_in(text, numbers, Vector(begin, begin + static_cast<std::ptrdiff_t>(numbers.size())));
}

// Each action sees what those before it assigned; a reinit is seen only afterwards.
void ModelEvents::act(Iteration& now, const Branch& branch) const {
  for (const Action& own : branch.actions) {
    const FlatAction& action = own.action;
    const Vector all = values(now.t, now.state, now.held);
    const double value = all[own.value];
    switch (action.kind) {
      case FlatAction::Kind::assign: now.held[held_.variable[action.variable]] = value; break;
      case FlatAction::Kind::reinit: now.reinits.emplace_back(own.component, (value - own.offset) / own.factor); break;
      case FlatAction::Kind::terminate:
        if (value == 0.0) break;
        now.outcome.terminated = true;
        now.outcome.message = message(action.message, action.message_values, own.messages, all);
        break;
      case FlatAction::Kind::assert_:
        if (value != 0.0) break;
        (action.warning ? now.outcome.warnings : now.outcome.errors)
            .push_back({action.place, message(action.message, action.message_values, own.messages, all), {}});
        break;
    }
  }
}

EventOutcome ModelEvents::handle(double t, ConstSpan state, ConstSpan held, std::span<const std::size_t> fired) const {
  Iteration now{.t = t,
                .state = Vector(state.begin(), state.end()),
                .held = Vector(held.begin(), held.end()),
                .at_begin = values(t, state, held),
                .was = {},
                .reinits = {},
                .outcome = {}};
  for (const auto& when : whens_)
    for (const Branch& branch : when) now.was.push_back(now.at_begin[branch.condition] != 0.0);
  flip_relations(now, fired);
  bool settled = false;
  for (int iteration = 0; iteration < most_iterations && !settled; ++iteration) {
    const Vector all = values(t, now.state, now.held);
    const Vector before = now.held;
    std::size_t place = 0;
    for (const auto& when : whens_) {
      bool acted = false;
      for (const Branch& branch : when) {
        const bool is = all[branch.condition] != 0.0;
        if (is && !now.was[place] && !acted) {
          act(now, branch);
          acted = true;
        }
        now.was[place++] = is;
      }
    }
    settled = now.reinits.empty() && now.held == before;
    const auto layout = layout_of(equations_->equations(now.held));
    for (const auto& [component, value] : now.reinits) {
      now.state[component] = value;
      now.outcome.changed.push_back(layout.name(component));
      now.outcome.state_changed = true;
    }
    now.reinits.clear();
    settled &= !update_relations(now);
    settled &= !update_before(now);
  }
  if (!settled)
    now.outcome.errors.push_back(
        {whens_.empty()                 ? SourcePlace{}
         : whens_[0][0].actions.empty() ? SourcePlace{}
                                        : whens_[0][0].actions[0].action.place,
         fmt::format("the event at t = {:.9g} does not come to an end: conditions go on to change", t),
         "make sure that what a when-clause assigns does not make its own condition true again"});
  now.outcome.equations_changed = !std::ranges::equal(now.held, held);
  now.outcome.state = std::move(now.state);
  now.outcome.held = std::move(now.held);
  return std::move(now.outcome);
}

bool ModelEvents::settle_start(double t, Vector& state, Vector& held, EventOutcome& outcome) const {
  Iteration now{.t = t, .state = state, .held = held, .at_begin = {}, .was = {}, .reinits = {}, .outcome = {}};
  now.at_begin = values(t, state, held);
  for (std::size_t k = 0; k < relations_.size(); ++k)
    now.held[held_.relation[k]] = holds(relations_[k], now.at_begin[k]) ? 1.0 : 0.0;
  for (const auto& when : whens_) {
    const auto first = std::ranges::find_if(when, &Branch::at_initial);
    if (first != when.end()) act(now, *first);
  }
  update_before(now);
  for (const auto& [component, value] : now.reinits) now.state[component] = value;
  const bool changed = now.held != held;
  held = std::move(now.held);
  state = std::move(now.state);
  outcome = std::move(now.outcome);
  return changed;
}

std::vector<Finding> ModelEvents::failed_asserts(double t, ConstSpan state, ConstSpan held, bool warnings) const {
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
