// A model from text: read, compiled, started, asked at events.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/modelfile/compiled/compiled_model.h"
#include "driftless/modelfile/compiled/equation_check.h"
#include "driftless/modelfile/flatten/read_model.h"
#include "driftless/modelfile/text/diagnostic.h"
#include "driftless/simulate/model.h"

namespace driftless {

// The text of a model and the name of its file, for messages.
struct ModelText {
  std::string file, text;  // UTF-8, whatever the file was in
  std::string hash = {};   // of the bytes of the file, for whoever records what was run

  // Findings with file, line and column, and a caret under the place.
  std::string render(Severity severity, const std::vector<Finding>& findings) const;
};

// A parameter or a start value by name. The value of a parameter is an expression of the language: "2*pi".
struct Setting {
  std::string name, value;
};

// Units of the state: those of the model, for whoever looks at states; nominal values, for whoever runs it.
enum class StateUnits { as_written, nominal };

class TextModel final : public Model {
 public:
  // RefusedModel, with every message, if the text is not right or its equations have no solution.
  explicit TextModel(ModelText text, const std::vector<Setting>& settings = {}, StateUnits units = StateUnits::nominal,
                     const ReadLimits& limits = {});
  explicit TextModel(CompiledModel compiled, ModelText text = {});

  Start start(double t) const override;
  std::variant<Stretch, ModelEnd> after(const Stretch& before, double t, ConstSpan state,
                                        const std::vector<std::size_t>& events) const override;
  std::variant<Stretch, ModelEnd> finish(const Stretch& last, double t, ConstSpan state) const override;
  bool finishes() const override;
  bool has_events() const override { return compiled_.has_events(); }
  bool is_state(const std::string& component) const override;

  const ModelText& text() const { return *text_; }
  const CompiledModel& compiled() const { return compiled_; }

 private:
  void describe();
  void add_ranges();
  Stretch stretch(double t, Vector state, Vector held) const;
  std::variant<Stretch, ModelEnd> outcome_of(EventOutcome outcome, double t) const;
  Stretch::Check check(const Vector& held, CheckedEquations which) const;

  std::shared_ptr<const ModelText> text_;  // stretches share it: they may outlive the model
  CompiledModel compiled_;
};

// The text flattened with settings. RefusedModel, with every message, if it is not right. Parameters are set before the
// model is made, for array sizes may depend on them; start values in the model.
FlatModel flat_model(const ModelText& text, const std::vector<Setting>& settings, const ReadLimits& limits,
                     std::vector<std::string>& warnings);

std::string unquoted(const std::string& name);  // a.b of 'a.b'

}  // namespace driftless
