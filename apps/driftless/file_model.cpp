// Model files as models: compiled, started, asked at events.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "apps/driftless/exit_codes.h"
#include "apps/driftless/model_drawing.h"
#include "apps/driftless/model_text.h"
#include "apps/driftless/names.h"
#include "driftless/core/phase.h"
#include "driftless/modelfile/compiled_model.h"
#include "driftless/modelfile/equation_check.h"

namespace driftless::cli {

namespace {

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

class FileModel final : public Model {
 public:
  FileModel(ModelText text, const std::vector<Setting>& settings, StateUnits units)
      : text_(std::move(text)), compiled_(compiled(settings, units)) {
    const FlatModel& flat = compiled_.flat();
    name = unquoted(flat.name);
    title = flat.description;
    source = text_.file;
    hash = text_.hash;
    begin = flat.experiment.start_time.value_or(0.0);
    end = flat.experiment.stop_time.value_or(begin + 1.0);
    tolerance = flat.experiment.tolerance;
    interval = flat.experiment.interval;
    const auto names = plain_names(compiled_.variables());
    for (std::size_t i = 0; i < names.size(); ++i)
      results.push_back({names[i], compiled_.variables()[i].unit, compiled_.variables()[i].description,
                         name_of(compiled_.variables()[i].role)});
    add_ranges(flat);
  }

  Start start(double t) const override {
    const Phase phase("start");
    const ModelStart found = compiled_.start(t);
    if (!found.ok())
      throw Stop(found.other_structure ? ExitCode::model_structure : ExitCode::inconsistent_start,
                 text_.render(Severity::error, found.errors));
    if (found.terminated)
      throw Stop(ExitCode::inconsistent_start, fmt::format("the model ends itself at the start: {}", found.message));
    Start start{.stretch = stretch(found.time, found.state, found.held)};
    for (const StartValue& value : found.values) {
      if (value.moved()) start.changes.push_back({unquoted(value.name), value.given, value.found});
      if (value.chosen) start.chosen.push_back({unquoted(value.name), value.found});
    }
    return start;
  }

  std::variant<Stretch, ModelEnd> after(const Stretch& before, double t, ConstSpan state,
                                        const std::vector<std::size_t>& events) const override {
    EventOutcome outcome = compiled_.handle(t, state, before.held, events);
    if (!outcome.errors.empty())
      return ModelEnd{ExitCode::assertion_failed, text_.render(Severity::error, outcome.errors)};
    if (!outcome.other_structure.empty())
      return ModelEnd{ExitCode::model_structure, text_.render(Severity::error, outcome.other_structure)};
    if (outcome.terminated) return ModelEnd{ExitCode::ok, outcome.message};
    Stretch next = stretch(t, std::move(outcome.state), std::move(outcome.held));
    next.after_event = true;
    next.fixed = std::move(outcome.changed);
    return next;
  }

  bool has_events() const override { return compiled_.has_events(); }
  std::vector<OtherBranch> other_branches(const Stretch& start) const override {
    std::vector<OtherBranch> all;
    for (const Finding& finding : compiled_.other_structures(start.held))
      all.push_back({finding.place.line, finding.message, text_.render(Severity::warning, {finding})});
    return all;
  }
  bool is_state(const std::string& component) const override {
    const auto found = std::ranges::find(compiled_.variables(), component, &ModelVariable::name);
    if (found == compiled_.variables().end()) return component.rfind("der(", 0) == 0;
    return found->role == VariableRole::position || found->role == VariableRole::velocity ||
           found->role == VariableRole::state;
  }
  std::string text() const override { return text_.text; }

  std::optional<Drawing> drawing() const override { return drawing_of(compiled_); }

  std::vector<Note> notes() const override {
    std::map<VariableRole, std::vector<std::string>> by_role;
    for (std::size_t i = 0; i < results.size(); ++i) by_role[compiled_.variables()[i].role].push_back(results[i].name);
    std::vector<Note> all = {{"form", compiled_.form()}};
    for (const auto& [role, names] : by_role) all.push_back({name_of(role), fmt::format("{}", fmt::join(names, ", "))});
    for (const ModelConstraint& constraint : compiled_.constraints())
      all.push_back({"constraint", fmt::format("{} (line {})", constraint.text, constraint.place.line)});
    if (compiled_.eliminated() > 0)
      all.push_back({"eliminated", fmt::format("{} of {} variables: the solver does not see them, results have them",
                                               compiled_.eliminated(), results.size())});
    return all;
  }

  Json structure() const override {
    Json variables = Json::array(), constraints = Json::array();
    for (std::size_t i = 0; i < results.size(); ++i) {
      const ModelVariable& variable = compiled_.variables()[i];
      Json one = {{"name", results[i].name}, {"role", name_of(variable.role)}, {"unit", variable.unit}};
      if (!variable.of.empty()) one["of"] = variable.of;
      variables.push_back(std::move(one));
    }
    for (const ModelConstraint& constraint : compiled_.constraints())
      constraints.push_back({{"text", constraint.text}, {"line", constraint.place.line}, {"level", constraint.level}});
    return {{"form", compiled_.form()},
            {"variables", std::move(variables)},
            {"constraint_equations", std::move(constraints)},
            {"eliminated", compiled_.eliminated()}};
  }

 private:
  void add_ranges(const FlatModel& flat) {
    std::map<std::string, const FlatVariable*> by_name;
    for (const FlatVariable& variable : flat.variables)
      if (variable.min || variable.max) by_name[variable.name] = &variable;
    for (std::size_t i = 0; i < results.size() && !by_name.empty(); ++i)
      if (const auto found = by_name.find(compiled_.variables()[i].name); found != by_name.end()) {
        const FlatVariable& variable = *found->second;
        if (variable.min) results[i].min = *variable.min * variable.solver_unit;
        if (variable.max) results[i].max = *variable.max * variable.solver_unit;
        results[i].nominal = std::abs(variable.nominal.value_or(1.0)) * variable.solver_unit;
      }
  }

  CompiledModel compiled(const std::vector<Setting>& settings, StateUnits units) {
    Compilation compilation =
        compile(flat_model(text_, settings, warnings), {.nominal_units = units == StateUnits::nominal});
    if (!compilation.ok()) throw Stop(ExitCode::model_structure, text_.render(Severity::error, compilation.errors));
    return *std::move(compilation.model);
  }

  Stretch stretch(double t, Vector state, Vector held) const {
    Stretch one{.begin = t, .equations = compiled_.equations(held), .start = std::move(state), .held = std::move(held)};
    one.nominal = compiled_.nominals();
    one.unit = compiled_.units();
    one.written = compiled_.written();
    for (ModelRoot& root : compiled_.roots(t, one.start, one.held))
      one.events.push_back({.name = std::move(root.text),
                            .root = std::move(root.value),
                            .direction = Direction::falling,
                            .terminal = true,
                            .where_undefined = root.if_undefined});
    one.results = compiled_.results(one.held);
    one.failed_assertion = [this, memory = one.held](double at, ConstSpan x) {
      return text_.render(Severity::error, compiled_.failed_asserts(at, x, memory));
    };
    if (compiled_.flat().asserts.empty()) one.failed_assertion = {};
    one.equations_hold = check(one.held, CheckedEquations::all);
    one.eliminated_hold = check(one.held, CheckedEquations::eliminated);
    return one;
  }

  // Formulas are compiled when they are first asked for.
  Stretch::Check check(const Vector& held, CheckedEquations which) const {
    return [this, held, which, found = std::shared_ptr<EquationCheck>()](
               double t, ConstSpan state, const Tolerance& tolerance) mutable -> EquationState {
      if (!found) found = compiled_.check(held, which);
      const EquationCheck::Worst worst = found->worst(t, state, tolerance.relative, tolerance.absolute);
      if (worst.equation == SIZE_MAX) return {.evaluated = worst.evaluated};
      const FlatEquation& equation = compiled_.flat().equations[worst.equation];
      return {fmt::format("'{}' (line {})", equation.text, equation.place.line), worst.residual, worst.evaluated,
              worst.ratio};
    };
  }

  ModelText text_;
  CompiledModel compiled_;
};

}  // namespace

std::unique_ptr<Model> load_model_file(const std::string& path, const std::vector<Setting>& settings,
                                       StateUnits units) {
  return std::make_unique<FileModel>(read_model_text(path), settings, units);
}

}  // namespace driftless::cli
