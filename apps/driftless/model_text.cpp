#include "apps/driftless/model_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "apps/driftless/exit_codes.h"
#include "apps/driftless/limits.h"
#include "apps/driftless/sha256.h"
#include "apps/driftless/text_file.h"
#include "apps/driftless/utf8.h"
#include "driftless/core/phase.h"
#include "driftless/modelfile/read_model.h"

namespace driftless::cli {

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
    if (diagnostic.file != source.file) diagnostic.file = "--set " + diagnostic.file;
  if (!reading.ok())
    throw Stop(reading.limit_reached ? ExitCode::limit : ExitCode::model_text,
               without_line_end(render(reading.diagnostics)));
  warnings.clear();
  for (const Diagnostic& diagnostic : reading.diagnostics) warnings.push_back(without_line_end(render(diagnostic)));
  return *std::move(reading.model);
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

ModelText read_model_text(const std::string& path) {
  const Phase phase("reading");
  const std::string text = read_text_file(path);
  return {path, utf8(text), sha256(text)};
}

FlatModel flat_model(const ModelText& source, const std::vector<Setting>& settings,
                     std::vector<std::string>& warnings) {
  FlatModel model = read_or_stop(source, {.limits = limits().reading}, warnings);
  if (settings.empty()) return model;
  std::set<std::string> variables;
  for (const FlatVariable& variable : model.variables) {
    variables.insert(base_of(variable.name));
    variables.insert(unquoted(base_of(variable.name)));
  }
  ReadOptions options{.limits = limits().reading};
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

}  // namespace driftless::cli
