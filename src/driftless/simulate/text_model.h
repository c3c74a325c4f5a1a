// A model from text: read, compiled, started, asked at events.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/modelfile/compiled/compiled_model.h"
#include "driftless/modelfile/compiled/equation_check.h"
#include "driftless/modelfile/flatten/read_model.h"
#include "driftless/modelfile/text/diagnostic.h"
#include "driftless/simulate/model.h"
#include "driftless/simulate/parameters.h"

namespace driftless {

// The text of a model and the name of its file, for messages.
struct ModelText {
  std::string file, text;  // UTF-8, whatever the file was in
  std::string hash = {};   // of the bytes of the file where these are others, for whoever records what was run

  // Findings with file, line and column, and a caret under the place.
  std::string render(Severity severity, const std::vector<Finding>& findings) const;
};

// A parameter or a start value by name. The value of a parameter is an expression of the language: "2*pi".
struct Setting {
  std::string name, value;
};

// Units of the state: those of the model, for whoever looks at states; nominal values, for whoever runs it.
enum class StateUnits { as_written, nominal };

class TextModes;
struct ModeMove;

class TextModel final : public Model {
 public:
  // RefusedModel, with every message, if the text is not right or its equations have no solution.
  explicit TextModel(ModelText text, const std::vector<Setting>& settings = {}, StateUnits units = StateUnits::nominal,
                     const ReadLimits& limits = {});
  explicit TextModel(CompiledModel compiled, ModelText text = {});

  // Another value of a parameter, or of several at once: Real, Integer or Boolean (0 and 1), elements as "r[2]". It
  // costs no compilation unless it changes sizes or structure; then the text is compiled again, for these values.
  // Misuse if there is no such parameter, or the value cannot be its value; RefusedModel as above.
  void set(std::string_view parameter, double value) { set({{std::string(parameter), value}}); }
  void set(const std::vector<Parameter>& values);
  Parameters parameters() const;  // those that can be set, and what they are
  std::unique_ptr<Model> compiled_again() const override;

  Start start(double t) const override;
  std::variant<Stretch, ModelEnd> after(const Stretch& before, double t, ConstSpan state,
                                        const std::vector<std::size_t>& events) const override;
  std::optional<std::variant<Stretch, ModelEnd>> after_crawling(const Stretch& stretch, double t,
                                                                ConstSpan state) const override;
  std::variant<Stretch, ModelEnd> finish(const Stretch& last, double t, ConstSpan state) const override;
  bool finishes() const override;
  bool has_events() const override { return compiled_.has_events(); }
  bool is_state(const std::string& component) const override;

  const ModelText& text() const { return *text_; }
  const CompiledModel& compiled() const { return compiled_; }
  const CompiledModel& in_mode(const StretchMode& mode) const;  // the equations of a stretch

 private:
  // What a text was compiled for; the last one used comes first.
  struct Compiled {
    struct One {
      CompiledModel model;
      std::vector<Parameter> values;  // set then: what the text says of these parameters is not in it
    };
    std::mutex mutex;
    std::vector<One> all;
  };

  void describe();
  void add_ranges();
  const FlatParameter& parameter(const std::string& wanted) const;
  std::optional<CompiledModel> fitting(const std::vector<Parameter>& values) const;
  CompiledModel compiled_for(const std::vector<Parameter>& values) const;
  ModelStart start_in(StretchMode& mode, double t) const;
  Start happened_at_start(const StretchMode& mode, const ModelStart& found) const;
  Stretch stretch(double t, Vector state, Vector held, StretchMode mode = {}) const;
  std::variant<Stretch, ModelEnd> outcome_of(ModeMove move, double t) const;
  Stretch::Check check(const CompiledModel& compiled, const Vector& held, CheckedEquations which) const;

  std::shared_ptr<const ModelText> text_;  // stretches share it: they may outlive the model
  std::vector<Setting> settings_;
  StateUnits units_ = StateUnits::nominal;
  ReadLimits limits_;
  bool has_text_ = true;
  CompiledModel compiled_;
  std::shared_ptr<Compiled> all_;                        // copies share it
  std::shared_ptr<TextModes> modes_;                     // of these values of the parameters
  std::vector<Parameter> values_;                        // that were set
  std::shared_ptr<const std::set<std::string>> states_;  // variables that are integrated
};

// The text flattened with settings. RefusedModel, with every message, if it is not right. Parameters are set before the
// model is made, for array sizes may depend on them; start values in the model.
FlatModel flat_model(const ModelText& text, const std::vector<Setting>& settings, const ReadLimits& limits,
                     std::vector<std::string>& warnings);

std::string unquoted(const std::string& name);  // a.b of 'a.b'

// RefusedModel, with every message, if the text is not right or its equations have no solution.
CompiledModel compile_text(const ModelText& text, const std::vector<Setting>& settings, StateUnits units,
                           const ReadLimits& limits, std::vector<std::string>& warnings);

}  // namespace driftless
