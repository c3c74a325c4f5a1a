// Something to solve, wherever it comes from: a model file or a reference problem.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "apps/driftless/exit_codes.h"
#include "apps/driftless/json.h"
#include "driftless/equations/equations.h"
#include "driftless/equations/written_constraint.h"
#include "driftless/integrate/adaptive_options.h"
#include "driftless/integrate/events.h"

namespace driftless::cli {

// One result: a column of the output.
struct Quantity {
  std::string name, unit, description;
  std::string group = {};  // what belongs in one picture: position, velocity, multiplier, ...
  std::optional<double> min = {}, max = {};
  double nominal = 1.0;
};

// What an animation shows: which points are joined, and where they are.
struct Drawing {
  Json shape;  // dimension, links, springs, bodies, ground, traces
  std::size_t coordinates = 0;
  std::function<void(double t, ConstSpan results, Span out)> points;
};

// How well the equations of a model hold at a state.
struct EquationState {
  std::string worst;  // as written, with its place; empty if all hold to rounding
  double residual = 0.0;
  bool evaluated = true;
  double ratio = 0.0;  // to what errors of the size of the tolerance could make of it
};

// A part of a run between two events, during which the equations are the same.
struct Stretch {
  double begin = 0.0;
  std::optional<double> end = {};  // where the model has to be asked how to go on, if not before at an event
  Equations equations;
  Vector start = {};
  bool after_event = false;                     // the start is that of a run at an event: states keep their values
  Names fixed = {};                             // components that must keep their start
  Vector held = {};                             // the model's own memory: discrete variables and relations
  Vector nominal = {};                          // of every component: units of the absolute tolerance; empty: all 1
  Vector unit = {};                             // by component: what it counts in; empty: all 1
  std::vector<WrittenConstraint> written = {};  // how the constraints stand to those of the model
  std::vector<Event> events = {};
  // The results at a state, in their order.
  std::function<void(double t, ConstSpan state, Span out)> results = {};
  // Of all equations, or of those that the solver does not see: what does not hold at a state. None if there are none.
  using Check = std::function<EquationState(double t, ConstSpan state, const Tolerance& tolerance)>;
  Check equations_hold = {}, eliminated_hold = {};
  // What the model asserts and does not hold at a state; empty: nothing.
  std::function<std::string(double t, ConstSpan state)> failed_assertion = {};
};

// How the start values had to be changed.
struct StartChange {
  std::string name;
  double from = 0.0, to = 0.0;
};

// A value that nobody stated, and that the rest leaves open.
struct ChosenValue {
  std::string name;
  double value = 0.0;
};

struct Start {
  Stretch stretch;
  std::vector<StartChange> changes = {};  // by more than rounding
  std::vector<ChosenValue> chosen = {};
  Vector residuals = {};  // of the constraints in the values given, where they are known
};

// "u = 0, v = 0, not stated"; empty if nothing was chosen.
std::string chosen_words(const Start& start);
// {"moves": {x: {from, to}}, "chosen": {v: 0}}
Json start_as_json(const Start& start);

// The model itself ends the run, or cannot go on.
struct ModelEnd {
  ExitCode code = ExitCode::ok;  // terminate(), an assertion, or a branch of another structure
  std::string message;
};

class Model {
 public:
  virtual ~Model() = default;

  std::string name, title;
  std::string source;  // the file, or problem:NAME
  std::string hash;    // SHA-256 of the file; empty for reference problems, which the version identifies
  double begin = 0.0, end = 1.0;
  std::optional<double> tolerance, interval;
  std::vector<Quantity> results;
  std::vector<std::string> warnings;  // printed even if nobody asks

  // Values that satisfy everything at t. FailedRun or Stop if there are none.
  virtual Start start(double t) const = 0;
  // What follows when these events of a stretch have come, all at time t; none: its end has.
  virtual std::variant<Stretch, ModelEnd> after(const Stretch& stretch, double t, ConstSpan state,
                                                const std::vector<std::size_t>& events) const = 0;
  virtual bool has_events() const { return false; }
  // Whether a component of the state is one that events leave alone: not an algebraic unknown, nor an introduced one.
  virtual bool is_state(const std::string& /*component*/) const { return true; }

  // Branches with another index or number of constraints than the start has: a run that comes to them ends.
  struct OtherBranch {
    std::size_t line = 0;
    std::string message;
    std::string text;  // with file, line, column and a caret
  };
  virtual std::vector<OtherBranch> other_branches(const Stretch& /*start*/) const { return {}; }

  // What the analysis found out, for people and for programs.
  struct Note {
    std::string label, text;
  };
  virtual std::vector<Note> notes() const { return {}; }
  virtual Json structure() const { return Json::object(); }

  virtual std::string text() const { return {}; }  // as written, if it is a file
  virtual std::optional<Drawing> drawing() const { return std::nullopt; }

  // Trusted values of the unknowns at a time, where they are known; NaN for single components that are not.
  virtual std::optional<Vector> reference(double /*t*/) const { return std::nullopt; }
};

// --set name=value
struct Setting {
  std::string name, value;
};
Setting setting_from(const std::string& text);  // Stop unless it is name=value
double number_from(const Setting& setting);     // Stop unless it is a number

// `source` is the name of a file, or problem:NAME. Stop if there is no such thing or it is not right.
// Units of the state: those of the model, for whoever looks at states; nominal values, for whoever runs it.
enum class StateUnits { as_written, nominal };
std::unique_ptr<Model> load_model(const std::string& source, const std::vector<Setting>& settings,
                                  StateUnits units = StateUnits::as_written);

inline constexpr const char* problem_prefix = "problem:";
std::unique_ptr<Model> load_problem(const std::string& name, const std::vector<Setting>& settings);
std::unique_ptr<Model> load_model_file(const std::string& path, const std::vector<Setting>& settings, StateUnits units);

}  // namespace driftless::cli
