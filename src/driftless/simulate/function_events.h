// Discrete behaviour of models from C++ functions: rounds over their `when`s with pre(...) fixed, as in model files.
#pragma once

#include <functional>
#include <limits>
#include <optional>

#include "driftless/equations/equations.h"
#include "driftless/simulate/moment.h"

namespace driftless {

// A condition that is held between events: it holds where its root is positive, and the zero is located.
struct NamedRelation {
  std::string name;
  std::function<double(double t, NamedState state, const Parameters& parameters)> root;
};

// An event at first, first + period, ...: no step goes beyond it. Without a period there is only the first one.
struct NamedClock {
  std::string name;
  double first = 0.0;
  double period = std::numeric_limits<double>::infinity();
};

// Acts when its condition becomes true. Within a round conditions and bodies are asked again until all values fit each
// other, so they depend on the moment alone; where several set the same variable the last one counts.
struct NamedWhen {
  std::string name;
  std::function<bool(const Moment& moment)> condition;
  std::function<void(Moment& moment)> body;
  bool at_initial = false;  // acts at the start, too, whatever its condition says: a `when` that names initial()
};

// What is held between events: values of discrete variables, then whether relations hold.
class FunctionEvents {
 public:
  FunctionEvents(std::vector<Parameter> discrete, std::vector<NamedRelation> relations, std::vector<NamedClock> clocks,
                 std::vector<NamedWhen> whens, Parameters parameters);

  using MakeEquations = std::function<Equations(const Parameters& parameters)>;
  struct Outcome {
    Vector state, held;
    Names reinitialised = {};                    // components that must keep their value
    std::optional<std::string> terminated = {};  // by this message
    std::string error = {};                      // the event does not come to an end
    Names passed = {};                           // relations whose roots passed zero in the same moment
  };
  struct Occurrence {
    Moment::Kind kind = Moment::Kind::event;
    double time = 0.0;
    ConstSpan state = {};                        // when it came
    std::optional<Vector> moved = std::nullopt;  // and behind what moved it before the rounds
    std::vector<std::size_t> fired = {};         // relations, and then clocks
  };

  bool any() const { return !whens_.empty() || !relations_.empty() || !clocks_.empty(); }
  bool acts() const { return !whens_.empty(); }
  const Names& discrete_names() const { return discrete_; }
  const std::vector<NamedRelation>& relations() const { return relations_; }
  const std::vector<NamedClock>& clocks() const { return clocks_; }

  // Parameters with the discrete variables behind them.
  Parameters values(ConstSpan held) const;
  // A parameter of all functions has another value from now on.
  void set(std::string_view parameter, double value) { parameters_.set(parameter, value); }

  Vector start() const;  // what is held before relations are judged
  Vector judged(double t, NamedState state, ConstSpan held) const;
  // What of a root is rounding: judged against what it becomes when all that it depends on changes by a thousandth,
  // some parts up and some down.
  double rounding_of(std::size_t relation, double t, ConstSpan state, const Names& names,
                     const Parameters& values) const;
  bool holds(ConstSpan held, std::size_t relation) const { return held[discrete_.size() + relation] != 0.0; }
  Outcome handle(const MakeEquations& equations, ConstSpan held, const Occurrence& event) const;

  struct Tick {
    double time;
    std::vector<std::size_t> clocks;
  };
  // The next one after t, or at t if `at_once`; none behind `until`.
  std::optional<Tick> next_tick(double t, double until, bool at_once = false) const;

 private:
  struct Rounds;
  void begin(Rounds& rounds, ConstSpan held, const Occurrence& event) const;
  static void fire(Moment& moment, const Occurrence& event);
  void pass_together(Rounds& rounds, const Occurrence& event) const;
  std::vector<char> conditions(Rounds& rounds) const;
  bool sweep(Rounds& rounds) const;
  bool judge(Rounds& rounds) const;
  void resolve(Rounds& rounds) const;
  bool solve_round(Rounds& rounds) const;
  bool end_round(Rounds& rounds) const;
  std::string unsettled(const Rounds& rounds) const;

  Names discrete_, flag_names_;
  Vector starts_;
  std::vector<NamedRelation> relations_;
  std::vector<NamedClock> clocks_;
  std::vector<NamedWhen> whens_;
  Parameters parameters_;
};

}  // namespace driftless
