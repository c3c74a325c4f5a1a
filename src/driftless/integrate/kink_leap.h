// The way across a kink of the constraints: when to try it.
//
// One Jacobian serves one side of a kink: Newton fails with every step that has stages on both sides, however short it
// is, and steps that end before the kink only come nearer to it. A step from t that failed with size h says that the
// kink lies in (t, t + h]. Where this is a small part of what was wanted at first, a step of h/c_1 and more has all its
// stages c_i behind the kink, and the Jacobian of the other side serves them all.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace driftless {

class KinkLeap {
 public:
  explicit KinkLeap(bool possible) : possible_(possible) {}

  // Is the step that is tried one across?
  bool leaping() const { return leaping_; }
  // Newton failed with a step of size h from t; `room` is what is left until the end. The step to try instead, if there
  // is a better one than a shorter one: across, once for each tenth of h, beginning at a hundredth of what failed
  // first.
  std::optional<double> failed(double t, double h, double first_node, double room) {
    if (leaping_) {
      leaping_ = false;
      return 0.5 * tried_from_;
    }
    if (!possible_) return std::nullopt;
    if (first_ == 0.0) {
      first_ = h;
      end_ = t + h;
      next_below_ = known_part * std::abs(h);
    }
    const double across = 2.0 * h / first_node, most = std::min(0.5 * std::abs(first_), std::abs(room));
    if (std::abs(h) > next_below_ || std::abs(across) >= most) return std::nullopt;
    next_below_ = 0.1 * std::abs(h);
    tried_from_ = h;
    leaping_ = true;
    return across;
  }
  // A step ended at t: behind all that, perhaps. True if it was one across.
  bool accepted(double t) {
    if ((end_ - t) * first_ <= 0.0) first_ = 0.0;
    return std::exchange(leaping_, false);
  }

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(first_, end_, next_below_);
  }

 private:
  static constexpr double known_part = 0.01;

  bool possible_, leaping_ = false;
  double first_ = 0.0, end_ = 0.0;  // the step that failed first, and where it would have ended; 0: none
  double next_below_ = 0.0, tried_from_ = 0.0;
};

}  // namespace driftless
