// A model with its solution, as the generators make it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formula.h"
#include "random.h"

namespace driftless::fuzz {

enum class Role { state, algebraic, multiplier, discrete };

// What the text says about the value at the begin: nothing, the value, a value nearby, the value with fixed = true.
enum class Start { none, stated, nearby, fixed };

struct Unknown {
  std::string name;
  Role role = Role::state;
  Formula exact;                      // in its unit; of the time and of clocks
  std::optional<Formula> slope = {};  // der() of it by other unknowns, if it is a clock
  Start start = Start::none;
  double nearby = 1.0;         // the factor of a start that is nearby
  bool free = false;           // its derivatives depend on no multiplier and no algebraic unknown
  bool smooth = true;          // no jumps and kinks, so that others may be coupled with it
  bool compared = true;        // false: only a combination of it is determined
  double unit = 1.0;           // the variable is this times `exact`
  bool nominal = false;        // does the text state the unit as nominal?
  bool named_in_text = false;  // in text that does not know of units
  std::string type = "Real";
};

// What may be added to an equation that is zero along the solution: to a constraint only what leaves the index as it
// is.
enum class Coupling { none, free_states, anything };

struct Equation {
  Formula left, right;
  Coupling coupling = Coupling::none;
  std::size_t others = 0;  // how many unknowns of other pieces it may be coupled with: the first ones of the model
};

class Model {
 public:
  Model(bool all_fixed, double end) : all_fixed_(all_fixed), end_(end) {}

  Unknown& add(const std::string& letter, Role role, const Formula& exact);
  void equate(const Formula& left, const Formula& right, Coupling coupling = Coupling::none);
  // left = law + what is missing along the solution, as a function of time or of clocks.
  void manufacture(const Formula& left, const Formula& law, Coupling coupling, Random& random);
  Formula missing(const Formula& left, const Formula& law, Random& random) const;
  Formula new_parameter(double value);
  // Text that is written once, in units of one.
  std::string raw_text(const Formula& formula);

  // States are fixed everywhere, and others may be stated nearby; or all starts are exact and may be moved.
  bool all_fixed() const { return all_fixed_; }
  Start start_of_state() const { return all_fixed_ ? Start::fixed : Start::stated; }
  Start start_of_determined(Random& random) const;
  double end() const { return end_; }
  void begin_piece() { others_ = unknowns.size(); }
  std::string fresh(const std::string& letter) { return letter + std::to_string(++count_); }

  std::vector<std::unique_ptr<Unknown>> unknowns;
  std::vector<Equation> equations;
  std::vector<std::string> declarations, raw_equations;  // text that needs no change
  std::vector<Unknown*> clocks;
  bool ends = false;            // the solution ends before the run does: only a failure is right
  std::vector<double> changes;  // times near which nothing is compared

 private:
  bool all_fixed_;
  double end_;
  int count_ = 0;
  std::size_t others_ = 0;
};

// The text of the model; how each equation is written is chosen at random, if it is `varied`.
std::string modelica(const Model& model, Random& random, bool varied);

}  // namespace driftless::fuzz
