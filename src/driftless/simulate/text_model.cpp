#include "driftless/simulate/text_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "driftless/core/number_text.h"
#include "driftless/core/phase.h"

namespace driftless {

namespace {

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

CompiledModel compile_text(const ModelText& text, const std::vector<Setting>& settings, StateUnits units,
                           const ReadLimits& limits, std::vector<std::string>& warnings) {
  Compilation compilation =
      compile(flat_model(text, settings, limits, warnings), {.nominal_units = units == StateUnits::nominal});
  if (!compilation.ok())
    throw RefusedModel(RefusedModel::Stage::structure, text.render(Severity::error, compilation.errors));
  return *std::move(compilation.model);
}

}  // namespace

std::string ModelText::render(Severity severity, const std::vector<Finding>& findings) const {
  std::string all;
  for (const Finding& finding : findings)
    all += driftless::render(diagnostic_at(severity, file, text, finding.place, finding.message, finding.suggestion));
  return without_line_end(all);
}

std::string unquoted(const std::string& name) {
  const bool quoted_name = name.size() > 2 && name.front() == '\'' && name.find('\'', 1) == name.size() - 1;
  return quoted_name ? name.substr(1, name.size() - 2) : name;
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
    found->start = model.graph.constant(*value);
  }
  return model;
}

TextModel::TextModel(ModelText text, const std::vector<Setting>& settings, StateUnits units, const ReadLimits& limits)
    : text_(std::make_shared<const ModelText>(std::move(text))),
      compiled_(compile_text(*text_, settings, units, limits, warnings)) {
  describe();
}

TextModel::TextModel(CompiledModel compiled, ModelText text)
    : text_(std::make_shared<const ModelText>(std::move(text))), compiled_(std::move(compiled)) {
  describe();
}

void TextModel::describe() {
  const FlatModel& flat = compiled_.flat();
  name = unquoted(flat.name);
  title = flat.description;
  begin = flat.experiment.start_time.value_or(0.0);
  end = flat.experiment.stop_time.value_or(begin + 1.0);
  tolerance = flat.experiment.tolerance;
  interval = flat.experiment.interval;
  const auto names = plain_names(compiled_.variables());
  for (std::size_t i = 0; i < names.size(); ++i)
    results.push_back({names[i], compiled_.variables()[i].unit, compiled_.variables()[i].description,
                       name_of(compiled_.variables()[i].role)});
  add_ranges();
}

void TextModel::add_ranges() {
  std::map<std::string, const FlatVariable*> by_name;
  for (const FlatVariable& variable : compiled_.flat().variables)
    if (variable.min || variable.max) by_name[variable.name] = &variable;
  for (std::size_t i = 0; i < results.size() && !by_name.empty(); ++i)
    if (const auto found = by_name.find(compiled_.variables()[i].name); found != by_name.end()) {
      const FlatVariable& variable = *found->second;
      if (variable.min) results[i].min = *variable.min * variable.solver_unit;
      if (variable.max) results[i].max = *variable.max * variable.solver_unit;
      results[i].nominal = std::abs(variable.nominal.value_or(1.0)) * variable.solver_unit;
    }
}

Start TextModel::start(double t) const {
  const Phase phase("start");
  const ModelStart found = compiled_.start(t);
  if (!found.ok())
    throw RefusedModel(found.other_structure ? RefusedModel::Stage::structure : RefusedModel::Stage::start,
                       text_->render(Severity::error, found.errors));
  if (found.terminated)
    throw RefusedModel(RefusedModel::Stage::start,
                       fmt::format("the model ends itself at the start: {}", found.message));
  Start start{.stretch = stretch(found.time, found.state, found.held)};
  for (const StartValue& value : found.values) {
    if (value.moved()) start.changes.push_back({unquoted(value.name), value.given, value.found});
    if (value.chosen) start.chosen.push_back({unquoted(value.name), value.found});
  }
  return start;
}

std::variant<Stretch, ModelEnd> TextModel::after(const Stretch& before, double t, ConstSpan state,
                                                 const std::vector<std::size_t>& events) const {
  EventOutcome outcome = compiled_.handle(t, state, before.held, events);
  if (!outcome.errors.empty())
    return ModelEnd{text_->render(Severity::error, outcome.errors), FailureKind::assertion_failed};
  if (!outcome.other_structure.empty())
    return ModelEnd{text_->render(Severity::error, outcome.other_structure), FailureKind::other_structure};
  Stretch next = stretch(t, std::move(outcome.state), std::move(outcome.held));
  next.after_event = true;
  next.fixed = std::move(outcome.changed);
  if (outcome.terminated) return ModelEnd{outcome.message, std::nullopt, std::move(next)};
  return next;
}

bool TextModel::is_state(const std::string& component) const {
  const auto found = std::ranges::find(compiled_.variables(), component, &ModelVariable::name);
  if (found == compiled_.variables().end()) return component.rfind("der(", 0) == 0;
  return found->role == VariableRole::position || found->role == VariableRole::velocity ||
         found->role == VariableRole::state;
}

Stretch TextModel::stretch(double t, Vector state, Vector held) const {
  Stretch one{.begin = t, .equations = compiled_.equations(held), .start = std::move(state), .held = std::move(held)};
  one.nominal = compiled_.nominals();
  one.unit = compiled_.units();
  one.written = compiled_.written();
  std::vector<ModelRoot> roots = compiled_.roots(t, one.start, one.held);
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
                          .place = k});
  one.results = compiled_.results(one.held);
  one.failed_assertion = [text = text_, model = compiled_, memory = one.held](double at, ConstSpan x) {
    return text->render(Severity::error, model.failed_asserts(at, x, memory));
  };
  if (compiled_.flat().asserts.empty()) one.failed_assertion = {};
  one.equations_hold = check(one.held, CheckedEquations::all);
  one.eliminated_hold = check(one.held, CheckedEquations::eliminated);
  return one;
}

// Formulas are compiled when they are first asked for.
Stretch::Check TextModel::check(const Vector& held, CheckedEquations which) const {
  return [model = compiled_, held, which, found = std::shared_ptr<EquationCheck>()](
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
