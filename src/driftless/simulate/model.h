// Something to simulate, wherever it comes from: unknowns with names, equations that events change, where it starts.
#pragma once

#include <memory>
#include <stdexcept>
#include <variant>

#include "driftless/core/failure.h"
#include "driftless/integrate/consistent_start.h"
#include "driftless/simulate/stretch.h"

namespace driftless {

// One result: a column of the output.
struct ResultColumn {
  std::string name, unit, description;
  std::string group = {};  // what belongs in one picture: position, velocity, multiplier, ...
  std::optional<double> min = {}, max = {};
  double nominal = 1.0;
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
  Vector residuals = {};                     // of the constraints in the values given, where they are known
  std::optional<std::string> ended_by = {};  // the model ends itself at the start, with this message
};
Start start_of(const ConsistentStart& consistent, Stretch stretch);

// The model itself ends the run, or cannot go on.
struct ModelEnd {
  std::string message;                      // of terminate(), or what is wrong, with file, line and column
  std::optional<FailureKind> failure = {};  // none: as the model meant it
  std::optional<Stretch> last = {};         // what the event that ends the run made of its state
  std::optional<Failure> why = {};          // more than the message says
};

// A model that cannot be run at all. The message says where and why, with file, line and column if it has them.
class RefusedModel : public std::runtime_error {
 public:
  enum class Stage { reading, limit, structure, start };
  RefusedModel(Stage stage, const std::string& message) : std::runtime_error(message), stage_(stage) {}
  Stage stage() const { return stage_; }

 private:
  Stage stage_;
};

class Model {
 public:
  virtual ~Model() = default;

  // The same model compiled for its parameters alone, if what was compiled for others does not fit them.
  virtual std::unique_ptr<Model> compiled_again() const { return nullptr; }

  std::string name, title;
  double begin = 0.0, end = 1.0;              // the usual run
  std::optional<double> tolerance, interval;  // if the model says
  std::vector<ResultColumn> results;
  std::vector<std::string> warnings;

  // Values that satisfy everything at t. RefusedModel or FailedRun if there are none.
  virtual Start start(double t) const = 0;
  // What follows when these events of a stretch have come, all at time t; none: its end has.
  virtual std::variant<Stretch, ModelEnd> after(const Stretch& stretch, double t, ConstSpan state,
                                                const std::vector<std::size_t>& events) const = 0;
  // What follows when a solution crawls along a relation that makes no events; none if the model knows no other way.
  virtual std::optional<std::variant<Stretch, ModelEnd>> after_crawling(const Stretch& /*stretch*/, double /*t*/,
                                                                        ConstSpan /*state*/) const {
    return std::nullopt;
  }
  // What happens at the end of a run that went well, events included that come with it.
  virtual std::variant<Stretch, ModelEnd> finish(const Stretch& last, double /*t*/, ConstSpan /*state*/) const {
    return last;
  }
  virtual bool finishes() const { return false; }  // finish() does something
  virtual bool has_events() const { return false; }
  // Whether a component of the state is one that events leave alone: not an algebraic unknown, nor an introduced one.
  virtual bool is_state(const std::string& /*component*/) const { return true; }
};

}  // namespace driftless
