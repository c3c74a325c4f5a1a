// A model from C++ functions: equations and a start that depend on named parameters, events, and discrete variables,
// which are parameters that events change.
#pragma once

#include <functional>

#include "driftless/simulate/function_events.h"
#include "driftless/simulate/model.h"

namespace driftless {

// Like Event, with names instead of numbers of components.
struct NamedEvent {
  std::string name;
  std::function<double(double t, NamedState state, const Parameters& parameters)> root;
  Direction direction = Direction::any;
  bool terminal = false;  // ends the run
  // Changes the state at the root. Constraints that do not hold after it are met by the impulse of their multipliers.
  std::function<void(double t, ChangingState state, const Parameters& parameters)> jump = {};
};

struct FunctionModelParts {
  std::string name = "model";
  std::vector<Parameter> parameters = {};
  std::function<Equations(const Parameters& parameters)> equations;
  // Values of the unknowns in the order of their names; leading ones are enough, as for solve().
  std::function<Vector(const Parameters& parameters)> start;
  std::vector<NamedEvent> events = {};
  // Every function gets the discrete variables among the parameters: equations, roots, jumps. The unknowns and what
  // they are called must not depend on them.
  std::vector<Parameter> discrete = {};  // with the values before the start
  std::vector<NamedRelation> relations = {};
  std::vector<NamedClock> clocks = {};
  std::vector<NamedWhen> whens = {};
  double begin = 0.0, end = 1.0;
};

class FunctionModel final : public Model {
 public:
  explicit FunctionModel(FunctionModelParts parts);

  // Misuse if there is no parameter of this name, or the value is not finite. It may change the unknowns themselves.
  void set(std::string_view parameter, double value);
  const Parameters& parameters() const { return parameters_; }

  Start start(double t) const override;
  std::variant<Stretch, ModelEnd> after(const Stretch& before, double t, ConstSpan state,
                                        const std::vector<std::size_t>& events) const override;
  // The moment that is terminal().
  std::variant<Stretch, ModelEnd> finish(const Stretch& last, double t, ConstSpan state) const override;
  bool finishes() const override { return discrete_.acts(); }
  bool has_events() const override { return !parts_.events.empty() || discrete_.any(); }

 private:
  void describe();
  Stretch stretch(double t, Vector state, Vector held) const;
  std::vector<Event> events(double t, ConstSpan state, const Vector& held) const;
  std::variant<Stretch, ModelEnd> outcome_of(FunctionEvents::Outcome outcome, double t) const;

  FunctionModelParts parts_;
  Parameters parameters_;
  FunctionEvents discrete_;
};

}  // namespace driftless
