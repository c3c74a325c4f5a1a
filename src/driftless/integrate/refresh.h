// What is computed anew for the next attempt, and why.
#pragma once

#include <array>

#include "driftless/integrate/calibration.h"

namespace driftless {

enum class RefreshCause { step_accepted, slow_newton, other_size, other_order, coupling, error, projection, newton };

// One line for each cause.
struct RefreshRule {
  enum class Jacobian { keep, unless_of_this_step, unless_at_its_beginning, always };
  enum class Start { as_before, polynomial, another };
  RefreshCause cause;
  Jacobian jacobian;
  bool factors;
  Start start;  // of the iteration: from the last step's polynomial, or from x_n
};

inline constexpr RefreshRule refresh_rules[] = {
    {RefreshCause::step_accepted, RefreshRule::Jacobian::keep, false, RefreshRule::Start::polynomial},
    {RefreshCause::slow_newton, RefreshRule::Jacobian::always, false, RefreshRule::Start::as_before},
    {RefreshCause::other_size, RefreshRule::Jacobian::keep, true, RefreshRule::Start::as_before},
    {RefreshCause::other_order, RefreshRule::Jacobian::keep, true, RefreshRule::Start::as_before},
    // Coupled stages have Jacobians of their own, which are of no use to what comes next.
    {RefreshCause::coupling, RefreshRule::Jacobian::always, false, RefreshRule::Start::as_before},
    {RefreshCause::error, RefreshRule::Jacobian::unless_of_this_step, true, RefreshRule::Start::as_before},
    {RefreshCause::projection, RefreshRule::Jacobian::unless_of_this_step, true, RefreshRule::Start::as_before},
    // Where a prediction was wrong, so is the Jacobian that was taken there.
    {RefreshCause::newton, RefreshRule::Jacobian::unless_at_its_beginning, true, RefreshRule::Start::another},
};

// What an attempt computes before it iterates.
struct RefreshOrder {
  bool jacobian, factors;
  bool beyond;     // the Jacobian first of all where the last iteration failed
  bool from_zero;  // the iteration starts from x_n
};

class Refresh {
 public:
  // `patient`: a start from x_n is the worse one; `faithful`: go on with the polynomial whatever happens, as RADAU5.
  Refresh(bool patient, bool faithful) : patient_(patient), faithful_(faithful) {}

  // `at_beginning`: was the Jacobian in use taken where the step begins? True if the next one is to be taken where the
  // iteration has failed now.
  bool because(RefreshCause cause, bool at_beginning = false);
  // How often this cause asked for a Jacobian.
  std::size_t asked(RefreshCause cause) const { return asked_[static_cast<std::size_t>(cause)]; }
  // What is due; with that it is done.
  RefreshOrder take();
  RefreshOrder due() const { return {jacobian_, factors_, beyond_, from_zero_}; }
  int failures() const { return failures_; }  // of Newton, since the last step

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(jacobian_, factors_, beyond_, from_zero_, fresh_, begun_, failures_);
    for (std::size_t& count : asked_) visitor(count);
  }

 private:
  bool choose_another_start();

  bool patient_, faithful_;
  bool jacobian_ = true, factors_ = true, beyond_ = false, from_zero_ = true;
  bool fresh_ = false;  // was the Jacobian in use taken for the step at hand?
  bool begun_ = false;  // is there a polynomial to continue?
  int failures_ = 0;
  std::array<std::size_t, std::size(refresh_rules)> asked_ = {};
};

inline bool Refresh::because(RefreshCause cause, bool at_beginning) {
  const RefreshRule& rule = refresh_rules[static_cast<std::size_t>(cause)];
  using enum RefreshRule::Jacobian;
  const bool asked = rule.jacobian == always || (rule.jacobian == unless_of_this_step && !fresh_) ||
                     (rule.jacobian == unless_at_its_beginning && !(fresh_ && at_beginning));
  asked_[static_cast<std::size_t>(cause)] += asked;
  jacobian_ = jacobian_ || asked;
  factors_ = factors_ || rule.factors;
  if (rule.start == RefreshRule::Start::polynomial) {
    begun_ = true;
    from_zero_ = fresh_ = beyond_ = false;
    failures_ = 0;
  }
  return rule.start == RefreshRule::Start::another && choose_another_start();
}

// Where the polynomial of the last step leads nowhere, perhaps across a kink, every other trial starts from x_n; on
// acceleration level later, since accelerations that are zero are far from those of a stiff mechanism. Later still, the
// Jacobian is that of the other side of the kink.
inline bool Refresh::choose_another_start() {
  const bool other = ++failures_ % 2 == 0 && !faithful_, late = failures_ >= calibrated::late_failures;
  from_zero_ = !begun_ || (other && (late || !patient_));
  if (other && late) beyond_ = jacobian_ = true;
  return other && late;
}

inline RefreshOrder Refresh::take() {
  const RefreshOrder order = due();
  fresh_ = fresh_ || jacobian_;
  jacobian_ = factors_ = false;
  if (order.jacobian) beyond_ = false;
  return order;
}

}  // namespace driftless
