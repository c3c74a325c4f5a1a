// Model files: text, flat equations, compiled model; messages with file, line and column.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "apps/driftless/exit_codes.h"
#include "apps/driftless/model.h"
#include "apps/driftless/names.h"
#include "apps/driftless/sha256.h"
#include "driftless/modelfile/compiled_model.h"
#include "driftless/modelfile/read_model.h"

namespace driftless::cli {

namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  const bool readable = file && !std::filesystem::is_directory(path);
  if (readable) text.assign(std::istreambuf_iterator<char>(file), {});
  if (!readable || file.bad()) throw Stop(ExitCode::file, fmt::format("cannot read '{}'", path));
  return text;
}

// The text of a model, and what is to say about places in it.
struct SourceText {
  std::string file, text;

  std::string render(Severity severity, const std::vector<Finding>& findings) const {
    std::string all;
    for (const Finding& finding : findings)
      all += driftless::render(diagnostic_at(severity, file, text, finding.place, finding.message, finding.suggestion));
    return without_line_end(all);
  }
  static std::string without_line_end(std::string all) {
    while (!all.empty() && all.back() == '\n') all.pop_back();
    return all;
  }
};

// "x" of "x[2]", "'a.b'" of "'a.b'[2]".
std::string base_of(const std::string& name) {
  const std::size_t from = name[0] == '\'' ? name.find('\'', 1) : 0;
  return name.substr(0, name.find('[', from == std::string::npos ? 0 : from));
}

std::string unquoted(const std::string& name) {
  const bool quoted_name = name.size() > 2 && name.front() == '\'' && name.find('\'', 1) == name.size() - 1;
  return quoted_name ? name.substr(1, name.size() - 2) : name;
}

FlatModel read_or_stop(const SourceText& source, const ReadOptions& options, std::vector<std::string>& warnings) {
  ModelReading reading = read_model(source.text, source.file, options);
  for (Diagnostic& diagnostic : reading.diagnostics)  // about the text of a setting
    if (diagnostic.file != source.file) diagnostic.file = "--set " + diagnostic.file;
  if (!reading.ok()) throw Stop(ExitCode::model_text, SourceText::without_line_end(render(reading.diagnostics)));
  warnings.clear();
  for (const Diagnostic& diagnostic : reading.diagnostics)
    warnings.push_back(SourceText::without_line_end(render(diagnostic)));
  return *std::move(reading.model);
}

// Start values are set in the flat model, parameters before it is made: array sizes may depend on them.
FlatModel read_with_settings(const SourceText& source, const std::vector<Setting>& settings,
                             std::vector<std::string>& warnings) {
  FlatModel model = read_or_stop(source, {}, warnings);
  if (settings.empty()) return model;
  std::set<std::string> variables;
  for (const FlatVariable& variable : model.variables) {
    variables.insert(base_of(variable.name));
    variables.insert(unquoted(base_of(variable.name)));
  }
  ReadOptions options;
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
      throw Stop(ExitCode::usage, fmt::format("--set {}: the model has no variable of this name", setting.name));
    if (found->boolean && (setting.value == "true" || setting.value == "false"))
      setting.value = setting.value == "true" ? "1" : "0";
    found->start = model.graph.constant(number_from(setting));
  }
  return model;
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

class FileModel final : public Model {
 public:
  FileModel(SourceText text, const std::vector<Setting>& settings)
      : text_(std::move(text)), compiled_(compiled(settings)) {
    const FlatModel& flat = compiled_.flat();
    name = unquoted(flat.name);
    title = flat.description;
    source = text_.file;
    hash = sha256(text_.text);
    begin = flat.experiment.start_time.value_or(0.0);
    end = flat.experiment.stop_time.value_or(begin + 1.0);
    tolerance = flat.experiment.tolerance;
    interval = flat.experiment.interval;
    const auto names = plain_names(compiled_.variables());
    for (std::size_t i = 0; i < names.size(); ++i)
      results.push_back({names[i], compiled_.variables()[i].unit, compiled_.variables()[i].description});
  }

  Start start(double t) const override {
    const ModelStart found = compiled_.start(t);
    if (!found.ok()) throw Stop(ExitCode::inconsistent_start, text_.render(Severity::error, found.errors));
    if (found.terminated)
      throw Stop(ExitCode::inconsistent_start, fmt::format("the model ends itself at the start: {}", found.message));
    Start start{.stretch = stretch(found.time, found.state, found.held)};
    for (const StartValue& value : found.values)
      if (value.stated && std::abs(value.found - value.given) > 1e-10 * std::max(1.0, std::abs(value.given)))
        start.changes.push_back({unquoted(value.name), value.given, value.found});
    return start;
  }

  std::variant<Stretch, ModelEnd> after(const Stretch& before, double t, ConstSpan state,
                                        const std::vector<std::size_t>& events) const override {
    EventOutcome outcome = compiled_.handle(t, state, before.held, events);
    if (!outcome.errors.empty()) return ModelEnd{true, text_.render(Severity::error, outcome.errors)};
    if (outcome.terminated) return ModelEnd{false, outcome.message};
    Stretch next = stretch(t, std::move(outcome.state), std::move(outcome.held));
    next.fixed = std::move(outcome.changed);
    return next;
  }

  bool has_events() const override { return compiled_.has_events(); }

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
  CompiledModel compiled(const std::vector<Setting>& settings) {
    Compilation compilation = compile(read_with_settings(text_, settings, warnings));
    if (!compilation.ok()) throw Stop(ExitCode::model_structure, text_.render(Severity::error, compilation.errors));
    return *std::move(compilation.model);
  }

  Stretch stretch(double t, Vector state, Vector held) const {
    Stretch one{.begin = t, .equations = compiled_.equations(held), .start = std::move(state), .held = std::move(held)};
    for (ModelRoot& root : compiled_.roots(t, one.start, one.held))
      one.events.push_back({.name = std::move(root.text),
                            .root = std::move(root.value),
                            .direction = Direction::falling,
                            .terminal = true});
    one.results = compiled_.results(one.held);
    one.failed_assertion = [this, memory = one.held](double at, ConstSpan x) {
      return text_.render(Severity::error, compiled_.failed_asserts(at, x, memory));
    };
    if (compiled_.flat().asserts.empty()) one.failed_assertion = {};
    return one;
  }

  SourceText text_;
  CompiledModel compiled_;
};

}  // namespace

std::unique_ptr<Model> load_model_file(const std::string& path, const std::vector<Setting>& settings) {
  return std::make_unique<FileModel>(SourceText{path, read_file(path)}, settings);
}

}  // namespace driftless::cli
