#include "driftless/modelfile/flatten/read_model.h"

#include <fmt/format.h>

#include "driftless/core/phase.h"
#include "driftless/expression/parameter_trace.h"
#include "driftless/modelfile/flatten/context.h"
#include "driftless/modelfile/flatten/flatten_model.h"
#include "driftless/modelfile/instance/instantiate.h"
#include "driftless/modelfile/text/parse.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

namespace {

constexpr std::size_t longest_text = 1'000'000'000;  // places in it are 32-bit numbers

// The model by its name, or the last one of the file.
const ClassDefinition* choose_model(const SyntaxTree& tree, const std::string& wanted,
                                    std::vector<std::string_view>& names) {
  const ClassDefinition* chosen = nullptr;
  for (const ClassDefinition& definition : tree.root.classes) {
    if (definition.kind != ClassDefinition::Kind::model) continue;
    const std::string& name = tree.names.text(definition.name);
    names.push_back(name);
    if (wanted.empty() || name == wanted || name == fmt::format("'{}'", wanted)) chosen = &definition;
  }
  return chosen;
}

Diagnostic about_file(std::string_view file_name, std::string message, std::string suggestion) {
  return diagnostic_at(Severity::error, file_name, "", {0, 0, 1}, std::move(message), std::move(suggestion));
}

}  // namespace

ModelReading read_model(std::string_view text, std::string_view file_name, const ReadOptions& options) {
  const Phase phase("reading");
  ModelReading reading;
  if (text.size() > longest_text) {
    reading.diagnostics.push_back(about_file(file_name, "the text is longer than 10^9 bytes", ""));
    return reading;
  }
  SyntaxTree tree;
  tree.sources.emplace_back(file_name, text);
  Diagnostics diagnostics(tree.sources);
  parse_model_text(tree, diagnostics);
  ReadOptions flat_options = options;
  if (diagnostics.errors() == 0 && needs_instantiation(tree) &&
      Instantiation(tree, diagnostics, flat_options.parameters).run(options.model))
    flat_options.model.clear();
  if (diagnostics.errors() == 0) {
    std::vector<std::string_view> names;
    const ClassDefinition* model = choose_model(tree, flat_options.model, names);
    if (model == nullptr) {
      reading.diagnostics = diagnostics.take();
      reading.diagnostics.push_back(
          names.empty()
              ? about_file(file_name, "there is no model in this file", "write: model Name ... equation ... end Name;")
              : about_file(file_name, fmt::format("there is no model {} in this file", quoted(options.model)),
                           did_you_mean(options.model, names)));
      return reading;
    }
    const auto trace = std::make_shared<ParameterTrace>();
    const Tracing tracing(trace.get());
    Context context(tree, diagnostics, options.limits);
    context.builder.graph().set_trace(trace);
    FlatModel flat = ModelFlattener(context, *model).flatten(flat_options);
    trace->reading_is_done();
    if (diagnostics.errors() == 0) reading.model = std::move(flat);
    reading.limit_reached = context.exhausted;
  }
  reading.diagnostics = diagnostics.take();
  return reading;
}

}  // namespace driftless
