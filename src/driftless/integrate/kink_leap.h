// The way across a kink of index 1.
//
// One Jacobian serves one side of a kink: Newton fails with every step that has stages on both sides, however short it
// is, and steps that end before the kink only come nearer to it. A step from t that failed with size h says that the
// kink lies in (t, t + h]. Where this is a small part of what was wanted at first, a step of h/c_1 and more has all its
// stages c_i behind the kink, and the Jacobian of the other side serves them all.
#pragma once

#include <cmath>
#include <optional>

namespace driftless {

class KinkLeap {
 public:
  // Newton failed with a step of size h from t. The step to try instead, if it is one across: once for each tenth of h,
  // beginning at a hundredth of what failed first.
  std::optional<double> failed(double t, double h, double first_node) {
    if (first_ == 0.0) {
      first_ = h;
      end_ = t + h;
      next_below_ = 0.01 * std::abs(h);
    }
    const double across = 2.0 * h / first_node;
    if (std::abs(h) > next_below_ || std::abs(across) > 0.5 * std::abs(first_)) return std::nullopt;
    next_below_ = 0.1 * std::abs(h);
    tried_from_ = h;
    return across;
  }
  // The step across failed as well: the one to go on with.
  double step_back() const { return 0.5 * tried_from_; }
  // A step ended at t: behind all that, perhaps.
  void accepted(double t) {
    if ((end_ - t) * first_ <= 0.0) first_ = 0.0;
  }

  template <class Self, class Visitor>
  static void visit_memory(Self& self, Visitor&& visit) {
    visit(self.first_);
    visit(self.end_);
    visit(self.next_below_);
  }

 private:
  double first_ = 0.0, end_ = 0.0;  // the step that failed first, and where it would have ended; 0: none
  double next_below_ = 0.0, tried_from_ = 0.0;
};

}  // namespace driftless
