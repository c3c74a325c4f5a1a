// Derivatives of formulas on a whole box at once: Dual numbers made of intervals. Where a formula has a kink inside the
// box, its derivative is the hull of both sides, which is what Clarke's mean value theorem needs.
#pragma once

#include "driftless/autodiff/jacobian.h"
#include "driftless/core/interval.h"

namespace driftless {

using IntervalMatrixView = BasicMatrixView<Interval>;
inline constexpr int enclosing_width = 8;
using EnclosingDual = Dual<Interval, enclosing_width>;

inline void divide_by(Interval& x, double s) { x /= Interval(s); }
inline bool is_constant(const Interval&) { return true; }

// Comparisons decide for the whole box, or throw UndecidedComparison.
#define DRIFTLESS_COMPARE(OP)                                                \
  template <int W>                                                           \
  bool operator OP(const Dual<Interval, W>& x, const Dual<Interval, W>& y) { \
    return x.value OP y.value;                                               \
  }                                                                          \
  template <int W, PlainNumber S>                                            \
  bool operator OP(const Dual<Interval, W>& x, S y) {                        \
    return x.value OP Interval(static_cast<double>(y));                      \
  }                                                                          \
  template <PlainNumber S, int W>                                            \
  bool operator OP(S x, const Dual<Interval, W>& y) {                        \
    return Interval(static_cast<double>(x)) OP y.value;                      \
  }
DRIFTLESS_COMPARE(<)
DRIFTLESS_COMPARE(<=)
DRIFTLESS_COMPARE(>)
DRIFTLESS_COMPARE(>=)
DRIFTLESS_COMPARE(==)
#undef DRIFTLESS_COMPARE

template <int W>
Dual<Interval, W> square(const Dual<Interval, W>& x) {
  Dual<Interval, W> y(square(x.value), x.d);
  y.d *= 2.0 * x.value;
  return y;
}

// Both branches at once: their values by the function itself, their derivatives by the hull.
template <int W>
Dual<Interval, W> either(const Interval& value, const Dual<Interval, W>& x, const Dual<Interval, W>& y) {
  Dual<Interval, W> both(value);
  for (int i = 0; i < W; ++i) both.d.set(i, hull(x.d.get(i), y.d.get(i)));
  return both;
}
template <int W>
Dual<Interval, W> abs(const Dual<Interval, W>& x) {
  if (x.value.lower() >= 0.0) return x;
  if (x.value.upper() <= 0.0) return -x;
  return either(abs(x.value), x, -x);
}
template <int W>
Dual<Interval, W> min(const Dual<Interval, W>& x, const Dual<Interval, W>& y) {
  if (x.value.upper() <= y.value.lower()) return x;
  if (y.value.upper() <= x.value.lower()) return y;
  return either(min(x.value, y.value), x, y);
}
template <int W>
Dual<Interval, W> max(const Dual<Interval, W>& x, const Dual<Interval, W>& y) {
  if (x.value.lower() >= y.value.upper()) return x;
  if (y.value.lower() >= x.value.upper()) return y;
  return either(max(x.value, y.value), x, y);
}

template <int W>
bool is_point(const Dual<Interval, W>& x) {
  bool point = x.value.is_point();
  for (int i = 0; i < W && point; ++i) point = x.d.get(i).is_point() && x.d.get(i).lower() == 0.0;
  return point;
}
template <int W>
Dual<Interval, W> pow(const Dual<Interval, W>& x, const Dual<Interval, W>& p) {
  if (is_point(p)) return pow(x, p.value.lower());
  return exp(p * log(x));
}
template <int W, PlainNumber S>
Dual<Interval, W> pow(S base, const Dual<Interval, W>& p) {
  return exp(p * Dual<Interval, W>(log(Interval(static_cast<double>(base)))));
}
template <int W>
Dual<Interval, W> log10(const Dual<Interval, W>& x) {
  return log(x) / Dual<Interval, W>(log(Interval(10.0)));
}
inline std::pair<Interval, Interval> sin_cos(const Interval& x) { return {sin(x), cos(x)}; }

// In the half planes where it is one branch of the arc tangent; across the cut it is not continuous.
template <int W>
Dual<Interval, W> atan2(const Dual<Interval, W>& y, const Dual<Interval, W>& x) {
  if (x.value.lower() > 0.0) return atan(y / x);
  const Interval half_pi = 2.0 * atan(Interval(1.0));
  if (y.value.lower() > 0.0) return Dual<Interval, W>(half_pi) - atan(x / y);
  if (y.value.upper() < 0.0) return Dual<Interval, W>(-half_pi) - atan(x / y);
  throw UndecidedComparison();
}

// Values f and derivatives J(:, j) = d y / d x[j] on the whole box x. UndecidedComparison where the formula branches on
// something that is not the same on all of the box.
void enclose_jacobian(FormulaOf<EnclosingDual> function, std::span<const Interval> x, std::span<Interval> f,
                      IntervalMatrixView j);

}  // namespace driftless

namespace std {  // see functions.h; these have overloads of their own here
using driftless::abs, driftless::atan2, driftless::log10, driftless::pow;
}  // namespace std
