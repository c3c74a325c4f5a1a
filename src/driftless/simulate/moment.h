// What conditions and bodies of a C++ model's `when`s see and do in one round of an event (Modelica specification,
// appendix B): values before the round stay as they are, whoever assigns what.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driftless/equations/named_state.h"
#include "driftless/simulate/parameters.h"

namespace driftless {

class Moment {
 public:
  enum class Kind { start, event, end };

  double time() const { return time_; }
  bool initial() const { return kind_ == Kind::start; }
  bool terminal() const { return kind_ == Kind::end; }
  // Algebraic unknowns and multipliers fit the values of the discrete variables when the round began.
  NamedState state() const { return {state_, *names_}; }
  // A parameter, or a discrete variable as it is in this round, whoever sets it.
  double operator[](std::string_view name) const { return now_[name]; }
  // A discrete variable as it was before the round; a parameter.
  double pre(std::string_view name) const { return before_[name]; }
  bool change(std::string_view name) const { return now_[name] != before_[name]; }
  // A relation, or a clock that ticks: true in the first round of the event only.
  bool holds(std::string_view name) const;

  // A discrete variable. What no `when` sets in a round keeps the value before it.
  void set(std::string_view discrete, double value);
  // A state takes this value at the end of the round; all others keep theirs.
  void reinit(std::string_view state, double value);
  // Ends the run, successfully, after this event.
  void terminate(std::string message) { terminated_ = std::move(message); }

 private:
  friend class FunctionEvents;
  Moment() = default;

  Kind kind_ = Kind::event;
  double time_ = 0.0;
  ConstSpan state_ = {};
  const Names *names_ = nullptr, *discrete_ = nullptr, *flag_names_ = nullptr;
  Parameters now_, before_, next_;  // in this round, as far as it is known; before it; as the bodies set them
  Vector flags_;                    // relations that hold, clocks that tick
  std::vector<Parameter> reinits_;  // of this round
  std::optional<std::string> terminated_;
};

}  // namespace driftless
