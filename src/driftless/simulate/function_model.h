// A model from C++ functions: equations and a start that depend on named parameters, and events.
#pragma once

#include <functional>

#include "driftless/simulate/model.h"
#include "driftless/simulate/parameters.h"

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
  bool has_events() const override { return !parts_.events.empty(); }

 private:
  void describe();
  Stretch stretch(double t, Vector state) const;

  FunctionModelParts parts_;
  Parameters parameters_;
};

}  // namespace driftless
