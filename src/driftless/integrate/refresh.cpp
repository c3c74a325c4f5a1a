#include "driftless/integrate/refresh.h"

namespace driftless {

bool Refresh::because(RefreshCause cause, bool at_beginning) {
  const RefreshRule& rule = refresh_rules[static_cast<std::size_t>(cause)];
  using enum RefreshRule::Jacobian;
  const bool asked = rule.jacobian == always || (rule.jacobian == unless_of_this_step && !fresh_) ||
                     (rule.jacobian == unless_at_its_beginning && !(fresh_ && at_beginning));
  asked_[static_cast<std::size_t>(cause)] += asked;
  jacobian_ = jacobian_ || asked;
  factors_ = factors_ || rule.factors;
  if (rule.start == RefreshRule::Start::polynomial) {
    begun_ = true;
    from_zero_ = fresh_ = false;
    failures_ = 0;
  }
  return rule.start == RefreshRule::Start::another && choose_another_start();
}

// Where the polynomial of the last step leads nowhere, perhaps across a kink, every other trial starts from x_n; on
// acceleration level later, since accelerations that are zero are far from those of a stiff mechanism. Later still, the
// Jacobian is that of the other side of the kink.
bool Refresh::choose_another_start() {
  const bool other = ++failures_ % 2 == 0 && !faithful_, late = failures_ >= calibrated::late_failures;
  from_zero_ = !begun_ || (other && (late || !patient_));
  if (other && late) beyond_ = jacobian_ = true;
  return other && late;
}

RefreshOrder Refresh::take() {
  const RefreshOrder order = due();
  fresh_ = fresh_ || jacobian_;
  jacobian_ = factors_ = false;
  if (order.jacobian) beyond_ = false;
  return order;
}

}  // namespace driftless
