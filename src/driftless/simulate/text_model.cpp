#include "driftless/simulate/text_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "driftless/core/number_text.h"
#include "driftless/core/phase.h"
#include "driftless/expression/parameter_trace.h"
#include "driftless/integrate/consistent_start.h"
#include "driftless/simulate/text_modes.h"

namespace driftless {

namespace {

// Algebraic unknowns and multipliers, as a run that goes on from an event would find them.
std::optional<Vector> resolve_state(const Equations& equations, double t, ConstSpan state, const Names& fixed) {
  const auto consistent = make_consistent(equations, t, state, {.fixed = fixed, .after_event = true});
  if (!consistent.ok()) return std::nullopt;
  return consistent->state;
}

std::string without_line_end(std::string all) {
  while (!all.empty() && all.back() == '\n') all.pop_back();
  return all;
}

// "x" of "x[2]", "'a.b'" of "'a.b'[2]".
std::string base_of(const std::string& name) {
  const std::size_t from = name[0] == '\'' ? name.find('\'', 1) : 0;
  return name.substr(0, name.find('[', from == std::string::npos ? 0 : from));
}

FlatModel read_or_stop(const ModelText& source, const ReadOptions& options, std::vector<std::string>& warnings) {
  ModelReading reading = read_model(source.text, source.file, options);
  for (Diagnostic& diagnostic : reading.diagnostics)  // about the text of a setting
    if (diagnostic.file != source.file) diagnostic.file = "setting " + diagnostic.file;
  if (!reading.ok())
    throw RefusedModel(reading.limit_reached ? RefusedModel::Stage::limit : RefusedModel::Stage::reading,
                       without_line_end(render(reading.diagnostics)));
  warnings.clear();
  for (const Diagnostic& diagnostic : reading.diagnostics) warnings.push_back(without_line_end(render(diagnostic)));
  return *std::move(reading.model);
}

// Names in quotes are shown without them, unless two would become the same.
std::vector<std::string> plain_names(const std::vector<ModelVariable>& variables) {
  std::map<std::string, int> count;
  for (const ModelVariable& variable : variables) ++count[unquoted(variable.name)];
  std::vector<std::string> names;
  for (const ModelVariable& variable : variables) {
    const std::string plain = unquoted(variable.name);
    names.push_back(count[plain] == 1 ? plain : variable.name);
  }
  return names;
}

}  // namespace

CompiledModel compile_text(const ModelText& text, const std::vector<Setting>& settings, StateUnits units,
                           const ReadLimits& limits, std::vector<std::string>& warnings) {
  Compilation compilation =
      compile(flat_model(text, settings, limits, warnings), {.nominal_units = units == StateUnits::nominal});
  if (!compilation.ok())
    throw RefusedModel(RefusedModel::Stage::structure, text.render(Severity::error, compilation.errors));
  return *std::move(compilation.model);
}

std::string ModelText::render(Severity severity, const std::vector<Finding>& findings) const {
  std::string all;
  for (const Finding& finding : findings)
    all += driftless::render(diagnostic_at(severity, file, text, finding.place, finding.message, finding.suggestion));
  return without_line_end(all);
}

// Also in front of subscripts and fields: a.b[1] of 'a.b'[1].
std::string unquoted(const std::string& name) {
  if (name.size() < 3 || name.front() != '\'') return name;
  const std::size_t end = name.find('\'', 1);
  const bool whole =
      end + 1 == name.size() || (end != std::string::npos && (name[end + 1] == '[' || name[end + 1] == '.'));
  return whole ? name.substr(1, end - 1) + name.substr(end + 1) : name;
}

// A start value that is set once can be set again, as a parameter.
static Number settable_start(FlatModel& model, const FlatVariable& variable, double value) {
  const std::shared_ptr<ParameterTrace>& trace = model.graph.trace();
  const std::size_t place = trace->parameters();
  using enum FlatParameter::Type;
  FlatParameter parameter;
  parameter.name = variable.name;
  parameter.value = value;
  parameter.number = trace->parameter(value);
  parameter.setting = place;
  parameter.type = variable.boolean ? boolean : variable.integer ? integer : real;
  model.parameters.push_back(parameter);
  return parameter.number;
}

FlatModel flat_model(const ModelText& source, const std::vector<Setting>& settings, const ReadLimits& limits,
                     std::vector<std::string>& warnings) {
  FlatModel model = read_or_stop(source, {.limits = limits}, warnings);
  if (settings.empty()) return model;
  std::set<std::string> variables;
  for (const FlatVariable& variable : model.variables) {
    variables.insert(base_of(variable.name));
    variables.insert(unquoted(base_of(variable.name)));
  }
  ReadOptions options{.limits = limits};
  std::vector<Setting> starts;
  for (const Setting& setting : settings)
    if (variables.count(base_of(setting.name)) > 0 || variables.count(setting.name) > 0)
      starts.push_back(setting);
    else
      options.parameters.emplace_back(setting.name, setting.value);
  if (!options.parameters.empty()) model = read_or_stop(source, options, warnings);
  for (Setting& setting : starts) {
    const auto found = std::find_if(model.variables.begin(), model.variables.end(), [&](const FlatVariable& variable) {
      return variable.name == setting.name || unquoted(variable.name) == setting.name;
    });
    if (found == model.variables.end())
      throw Misuse(fmt::format("setting {}: the model has no variable of this name", setting.name));
    if (found->boolean && (setting.value == "true" || setting.value == "false"))
      setting.value = setting.value == "true" ? "1" : "0";
    const auto value = finite_number_in(setting.value);
    if (!value) throw Misuse(fmt::format("setting {0}={1}: '{1}' is not a number", setting.name, setting.value));
    found->start = model.graph.constant(settable_start(model, *found, *value));
  }
  return model;
}

TextModel::TextModel(ModelText text, const std::vector<Setting>& settings, StateUnits units, const ReadLimits& limits)
    : text_(std::make_shared<const ModelText>(std::move(text))),
      settings_(settings),
      units_(units),
      limits_(limits),
      compiled_(compile_text(*text_, settings, units, limits, warnings)),
      all_(std::make_shared<Compiled>()),
      modes_(std::make_shared<TextModes>()) {
  all_->all.push_back({compiled_, {}});
  describe();
}

TextModel::TextModel(CompiledModel compiled, ModelText text)
    : text_(std::make_shared<const ModelText>(std::move(text))),
      has_text_(false),
      compiled_(std::move(compiled)),
      all_(std::make_shared<Compiled>()),
      modes_(std::make_shared<TextModes>()) {
  all_->all.push_back({compiled_, {}});
  describe();
}

void TextModel::describe() {
  const Phase phase("structure and formulas");
  const FlatModel& flat = compiled_.flat();
  name = unquoted(flat.name);
  title = flat.description;
  begin = flat.experiment.start_time.value_or(0.0);
  end = flat.experiment.stop_time.value_or(begin + 1.0);
  tolerance = flat.experiment.tolerance;
  interval = flat.experiment.interval;
  const std::vector<ModelVariable>& variables = compiled_.variables();
  const auto names = plain_names(variables);
  results.clear();
  results.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    results.push_back({names[i], variables[i].unit, variables[i].description, name_of(variables[i].role)});
  std::set<std::string> states;
  for (const ModelVariable& variable : variables)
    if (variable.role == VariableRole::position || variable.role == VariableRole::velocity ||
        variable.role == VariableRole::state)
      states.insert(variable.name);
  states_ = std::make_shared<const std::set<std::string>>(std::move(states));
  add_ranges();
}

// Results are the variables that the user wrote, in their order.
void TextModel::add_ranges() {
  std::size_t i = 0;
  for (const FlatVariable& variable : compiled_.flat().variables) {
    if (variable.introduced) continue;
    ResultColumn& column = results[i++];
    if (!variable.min && !variable.max) continue;
    if (variable.min) column.min = compiled_.value(*variable.min) * variable.solver_unit;
    if (variable.max) column.max = compiled_.value(*variable.max) * variable.solver_unit;
    column.nominal = std::abs(variable.nominal.value_or(1.0)) * variable.solver_unit;
  }
}

// In the form of all branches together, or else in that of the branches that the values found so far make active.
ModelStart TextModel::start_in(StretchMode& mode, double t) const {
  constexpr int most = 10;
  ModelStart found;
  for (int trial = 0; trial < most; ++trial) {
    found = in_mode(mode).start(t, resolve_state, modes_->leaving(compiled_, mode, t, {}, resolve_state));
    if (!found.ok() && !found.other_structure) return found;
    const ModeBranches active = compiled_.branches(in_mode(mode).held_inputs(found.held), {});
    if (active.empty() || (found.ok() && (mode.branches.empty() || active == mode.branches))) return found;
    const StretchMode next{.branches = active};
    if (next == mode || !modes_->mode(compiled_, next)) return found;
    mode = next;
  }
  found.errors.push_back({{}, "no branches are found which the start values make active and which allow them", {}});
  return found;
}

Start TextModel::start(double t) const {
  const Phase phase("start");
  StretchMode mode;
  ModelStart found = start_in(mode, t);
  if (!found.ok())
    throw RefusedModel(found.other_structure ? RefusedModel::Stage::structure : RefusedModel::Stage::start,
                       text_->render(Severity::error, found.errors));
  Start start = found.unfinished ? happened_at_start(mode, found)
                                 : Start{.stretch = stretch(found.time, found.state, found.held, std::move(mode))};
  if (!found.unfinished) {
    start.stretch.after_event = found.after_event;
    start.stretch.fixed = found.changed;
    if (found.terminated) start.ended_by = found.message;
  }
  for (const StartValue& value : found.values) {
    if (value.moved()) start.changes.push_back({unquoted(value.name), value.given, value.found});
    if (value.chosen) start.chosen.push_back({unquoted(value.name), value.found});
  }
  return start;
}

// The event at the start has left its mode.
Start TextModel::happened_at_start(const StretchMode& mode, const ModelStart& found) const {
  auto next = outcome_of(modes_->follow(compiled_, mode, found.time, *found.unfinished, resolve_state), found.time);
  if (ModelEnd* end = std::get_if<ModelEnd>(&next)) {
    if (end->failure) throw RefusedModel(RefusedModel::Stage::start, end->why ? end->why->message() : end->message);
    return {.stretch = *std::move(end->last), .ended_by = end->message};
  }
  Stretch stretch = std::get<Stretch>(std::move(next));
  for (const BranchSwitch& change : stretch.switches)
    if (const auto failure = contradicted_position(change, found.time, {}))
      throw RefusedModel(RefusedModel::Stage::start, failure->message());
  return {.stretch = std::move(stretch)};
}

std::variant<Stretch, ModelEnd> TextModel::after(const Stretch& before, double t, ConstSpan state,
                                                 const std::vector<std::size_t>& events) const {
  auto moved =
      modes_->happen(compiled_, before.mode, {.time = t, .state = state, .fired = events}, before.held, resolve_state);
  return outcome_of(std::move(moved), t);
}

std::optional<std::variant<Stretch, ModelEnd>> TextModel::after_crawling(const Stretch& stretch, double t,
                                                                         ConstSpan state) const {
  if (stretch.mode.revealed || !stretch.mode.sliding.empty() || !stretch.mode.branches.empty()) return std::nullopt;
  auto moved = modes_->reveal(compiled_, t, state, stretch.held, resolve_state);
  if (!moved) return std::nullopt;
  return outcome_of(*std::move(moved), t);
}

const CompiledModel& TextModel::in_mode(const StretchMode& mode) const {
  if (mode == StretchMode()) return compiled_;
  return modes_->mode(compiled_, mode)->model;
}

// Relations that change exactly at the end, and then terminal().
std::variant<Stretch, ModelEnd> TextModel::finish(const Stretch& last, double t, ConstSpan state) const {
  TextModes::Move move = modes_->happen(compiled_, last.mode, {.time = t, .state = state}, last.held, resolve_state);
  Names happened = std::move(move.outcome.relations);
  if (!move.failure && move.outcome.errors.empty() && !move.outcome.terminated && compiled_.flat().terminal_slot) {
    const EventOutcome& usual = move.outcome;
    const auto settled = resolve_state(in_mode(move.mode).equations(usual.held), t, usual.state, usual.changed);
    const EventMoment end{
        .kind = EventMoment::Kind::end, .time = t, .state = settled ? *settled : usual.state, .named = usual.changed};
    TextModes::Move last_one = modes_->happen(compiled_, move.mode, end, usual.held, resolve_state);
    last_one.switches.insert(last_one.switches.begin(), move.switches.begin(), move.switches.end());
    move = std::move(last_one);
  }
  EventOutcome& outcome = move.outcome;
  if (!move.failure && outcome.errors.empty())
    outcome.errors = in_mode(move.mode).failed_asserts(t, outcome.state, outcome.held);
  auto next = outcome_of(std::move(move), t);
  if (Stretch* stretch = std::get_if<Stretch>(&next)) stretch->happened = std::move(happened);
  return next;
}

bool TextModel::finishes() const { return compiled_.has_events() || compiled_.flat().terminal_slot.has_value(); }

std::variant<Stretch, ModelEnd> TextModel::outcome_of(ModeMove move, double t) const {
  EventOutcome& outcome = move.outcome;
  if (move.failure)
    return ModelEnd{.message = "", .failure = move.failure->kind, .last = {}, .why = std::move(move.failure)};
  if (!outcome.errors.empty())
    return ModelEnd{text_->render(Severity::error, outcome.errors), FailureKind::assertion_failed};
  if (!outcome.other_structure.empty())
    return ModelEnd{text_->render(Severity::error, outcome.other_structure), FailureKind::other_structure};
  Stretch next = stretch(t, std::move(outcome.state), std::move(outcome.held), std::move(move.mode));
  next.after_event = true;
  next.fixed = std::move(outcome.changed);
  next.switches = std::move(move.switches);
  if (outcome.terminated) return ModelEnd{outcome.message, std::nullopt, std::move(next)};
  return next;
}

bool TextModel::is_state(const std::string& component) const {
  return states_->contains(component) || component.starts_with("der(");
}

Stretch TextModel::stretch(double t, Vector state, Vector held, StretchMode mode) const {
  const CompiledModel& compiled = in_mode(mode);
  Equations equations = compiled.equations(held);
  Stretch one{.begin = t, .equations = std::move(equations), .start = std::move(state), .held = std::move(held)};
  one.nominal = compiled.nominals();
  one.unit = compiled.units();
  one.written = compiled.written();
  std::vector<ModelRoot> roots = compiled.roots(t, one.start, one.held);
  std::shared_ptr<const RootGroup> group;
  if (!roots.empty())
    group = std::make_shared<const RootGroup>(
        RootGroup{roots.size(), [all = roots[0].all](double at, ConstSpan x, Span values) { (*all)(at, x, values); }});
  for (std::size_t k = 0; k < roots.size(); ++k)
    one.events.push_back({.name = std::move(roots[k].text),
                          .root = std::move(roots[k].value),
                          .direction = Direction::falling,
                          .terminal = true,
                          .where_undefined = roots[k].if_undefined,
                          .group = group,
                          .place = k,
                          .reads_multipliers = roots[k].reads_multipliers,
                          .rounding = roots[k].rounding});
  one.next_due = [model = compiled, memory = one.held, t](double until,
                                                          TimeSearches& searches) -> std::optional<Stretch::Due> {
    auto due = model.next_due(t, until, memory, searches);
    if (!due) return std::nullopt;
    return Stretch::Due{due->time, std::move(due->events), std::move(due->names)};
  };
  if (!compiled.has_events()) one.next_due = {};
  if (mode == StretchMode()) one.hidden_roots = compiled.hidden_roots(one.held, one.hidden);
  one.mode = std::move(mode);
  one.results = compiled.results(one.held);
  one.failed_assertion = [text = text_, model = compiled, memory = one.held](double at, ConstSpan x) {
    return text->render(Severity::error, model.failed_asserts(at, x, memory));
  };
  if (compiled.flat().asserts.empty()) one.failed_assertion = {};
  one.equations_hold = check(compiled, one.held, CheckedEquations::all);
  one.eliminated_hold = check(compiled, one.held, CheckedEquations::eliminated);
  return one;
}

// Formulas are compiled when they are first asked for.
Stretch::Check TextModel::check(const CompiledModel& compiled, const Vector& held, CheckedEquations which) const {
  return [model = compiled, held, which, found = std::shared_ptr<EquationCheck>()](
             double t, ConstSpan state, const Tolerance& allowed) mutable -> EquationState {
    if (!found) found = model.check(held, which);
    const EquationCheck::Worst worst = found->worst(t, state, allowed.relative, allowed.absolute);
    if (worst.equation == SIZE_MAX) return {.worst = "", .evaluated = worst.evaluated};
    const FlatEquation& equation = model.flat().equations[worst.equation];
    return {fmt::format("'{}' (line {})", equation.text, equation.place.line), worst.residual, worst.evaluated,
            worst.ratio};
  };
}

}  // namespace driftless
