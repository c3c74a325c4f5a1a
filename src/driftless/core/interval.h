// Interval arithmetic: the result of every operation contains all results for numbers from its operands, rounding
// included. An interval is never empty; where a function is not defined it becomes the whole line.
#pragma once

#include <stdexcept>

namespace driftless {

// A comparison that is true for some numbers of the intervals and false for others: a formula that branches on it
// cannot be enclosed on this box.
class UndecidedComparison : public std::runtime_error {
 public:
  UndecidedComparison() : std::runtime_error("a formula branches on a value that is not decided on the whole box") {}
};

class Interval {
 public:
  constexpr Interval() = default;  // zero
  constexpr Interval(double point) : lower_(point), upper_(point) {}
  Interval(double lower, double upper);  // Misuse unless lower <= upper
  static Interval whole();

  constexpr double lower() const { return lower_; }
  constexpr double upper() const { return upper_; }
  constexpr bool is_point() const { return lower_ == upper_; }
  constexpr bool contains(double x) const { return lower_ <= x && x <= upper_; }
  bool is_bounded() const;
  double middle() const;     // a number inside
  double width() const;      // rounded up
  double radius() const;     // of the smallest interval around middle(), rounded up
  double magnitude() const;  // largest |x|

  Interval& operator+=(const Interval& o);
  Interval& operator-=(const Interval& o);
  Interval& operator*=(const Interval& o);
  Interval& operator/=(const Interval& o);

  friend Interval operator+(Interval x, const Interval& y) { return x += y; }
  friend Interval operator-(Interval x, const Interval& y) { return x -= y; }
  friend Interval operator*(Interval x, const Interval& y) { return x *= y; }
  friend Interval operator/(Interval x, const Interval& y) { return x /= y; }
  friend Interval operator-(const Interval& x) { return unchecked(-x.upper_, -x.lower_); }
  friend Interval operator+(const Interval& x) { return x; }

  // Certain for all pairs of numbers, or UndecidedComparison.
  friend bool operator<(const Interval& x, const Interval& y);
  friend bool operator<=(const Interval& x, const Interval& y);
  friend bool operator>(const Interval& x, const Interval& y) { return y < x; }
  friend bool operator>=(const Interval& x, const Interval& y) { return y <= x; }
  friend bool operator==(const Interval& x, const Interval& y);

  static constexpr Interval unchecked(double lower, double upper) {
    Interval x;
    x.lower_ = lower;
    x.upper_ = upper;
    return x;
  }

 private:
  double lower_ = 0.0, upper_ = 0.0;
};

Interval hull(const Interval& x, const Interval& y);
bool overlap(const Interval& x, const Interval& y);

Interval square(const Interval& x);
Interval sqrt(const Interval& x);
Interval exp(const Interval& x);
Interval log(const Interval& x);
Interval sin(const Interval& x);
Interval cos(const Interval& x);
Interval tan(const Interval& x);
Interval asin(const Interval& x);
Interval acos(const Interval& x);
Interval atan(const Interval& x);
Interval sinh(const Interval& x);
Interval cosh(const Interval& x);
Interval tanh(const Interval& x);
Interval abs(const Interval& x);
Interval min(const Interval& x, const Interval& y);
Interval max(const Interval& x, const Interval& y);
Interval pow(const Interval& x, double p);

}  // namespace driftless
