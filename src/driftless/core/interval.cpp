// Boost.Interval with a rounding of its own: results are rounded to nearest, and moved outward by one number where the
// exact rounding error (Dekker, Knuth) says so. No rounding mode is ever switched, so that optimisers and threads
// cannot disturb it.
#include "driftless/core/interval.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/numeric/interval.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "driftless/core/failure.h"
#include "driftless/core/infinity.h"

namespace driftless {

namespace {

constexpr double largest = std::numeric_limits<double>::max();
constexpr double tiny = 1e-290;  // below, the error of a product may itself underflow

double below(double x) { return std::nextafter(x, -infinity); }
double above(double x) { return std::nextafter(x, infinity); }

// `value` is the nearest number to the exact result; `error` has the sign of exact - value.
double down(double value, double error) { return error < 0.0 ? below(value) : value; }
double up(double value, double error) { return error > 0.0 ? above(value) : value; }

double sum_error(double x, double y, double s) {
  const double part = s - x;
  return (x - (s - part)) + (y - part);
}

struct Outward {
  using unprotected_rounding = Outward;
  void init() {}
  template <class U>
  double conv_down(const U& x) {
    return static_cast<double>(x);
  }
  template <class U>
  double conv_up(const U& x) {
    return static_cast<double>(x);
  }
  double add_down(double x, double y) { return -add_up(-x, -y); }
  double add_up(double x, double y) {
    const double s = x + y;
    if (!std::isfinite(s)) return s == -infinity && std::isfinite(x) && std::isfinite(y) ? -largest : s;
    return up(s, sum_error(x, y, s));
  }
  double sub_down(double x, double y) { return add_down(x, -y); }
  double sub_up(double x, double y) { return add_up(x, -y); }
  double mul_down(double x, double y) { return -mul_up(-x, y); }
  double mul_up(double x, double y) {
    if (x == 0.0 || y == 0.0) return 0.0;
    const double p = x * y;
    if (!std::isfinite(p)) return p == -infinity && std::isfinite(x) && std::isfinite(y) ? -largest : p;
    if (std::abs(p) < tiny) return above(p);
    return up(p, std::fma(x, y, -p));
  }
  double div_down(double x, double y) { return -div_up(-x, y); }
  double div_up(double x, double y) {
    if (x == 0.0) return 0.0;
    const double q = x / y;
    if (!std::isfinite(q)) return q == -infinity && std::isfinite(x) && y != 0.0 ? -largest : q;
    if (std::abs(q) < tiny || std::abs(x) < tiny) return above(q);
    const double remainder = std::fma(-q, y, x);
    return up(q, y > 0.0 ? remainder : -remainder);
  }
  double median(double x, double y) { return 0.5 * x + 0.5 * y; }
  double sqrt_down(double x) {
    const double r = std::sqrt(x);
    return std::isfinite(r) && x > tiny ? down(r, std::fma(-r, r, x)) : x > 0.0 ? below(r) : r;
  }
  double sqrt_up(double x) {
    const double r = std::sqrt(x);
    return std::isfinite(r) && x > tiny ? up(r, std::fma(-r, r, x)) : x > 0.0 ? above(r) : r;
  }
  double int_down(double x) { return std::floor(x); }
  double int_up(double x) { return std::ceil(x); }
};

namespace lib = boost::numeric::interval_lib;
using Boost = boost::numeric::interval<double, lib::policies<Outward, lib::checking_base<double>>>;

Boost in(const Interval& x) { return Boost(x.lower(), x.upper()); }
Interval out(const Boost& x) {
  if (!(x.lower() <= x.upper())) return Interval::whole();
  return Interval::unchecked(x.lower(), x.upper());
}

// Functions of the C library are off by at most two units in the last place in this range of functions; twice that
// stays outside. Zero at zero is exact.
double widened_down(double y) {
  for (int i = 0; i < 4; ++i) y = below(y);
  return y;
}
double widened_up(double y) {
  for (int i = 0; i < 4; ++i) y = above(y);
  return y;
}

// [f(lower), f(upper)] for an increasing f, kept inside the range of f.
template <class F>
Interval increasing(F f, const Interval& x, double least = -infinity, double most = infinity) {
  const double a = f(x.lower()), b = f(x.upper());
  if (std::isnan(a) || std::isnan(b)) return Interval::whole();
  const double lower = x.lower() == 0.0 && a == 0.0 ? 0.0 : widened_down(a);
  const double upper = x.upper() == 0.0 && b == 0.0 ? 0.0 : widened_up(b);
  return Interval::unchecked(std::max(lower, least), std::min(upper, most));
}

// cos on [x], with x = quarter * pi/2 + angle: whether an extremum (a multiple of pi) lies inside is decided on the
// enclosed number of half turns, so that doubt widens the result.
template <class F>
Interval wave(F f, const Interval& x, double shift) {
  if (!(std::abs(x.lower()) < 1e15 && std::abs(x.upper()) < 1e15)) return Interval::unchecked(-1.0, 1.0);
  const Interval pi = Interval::unchecked(std::numbers::pi, above(std::numbers::pi));
  const Interval turns = x / pi + Interval(shift);  // extrema are at the integers, maxima at the even ones
  const double first = std::ceil(turns.lower()), last = std::floor(turns.upper());
  const double a = f(x.lower()), b = f(x.upper());
  double lower = widened_down(std::min(a, b)), upper = widened_up(std::max(a, b));
  if (first <= last) {
    const bool first_even = std::fmod(first, 2.0) == 0.0;
    if (first_even || first < last) upper = 1.0;
    if (!first_even || first < last) lower = -1.0;
  }
  if (x.lower() == 0.0 && x.upper() == 0.0) return Interval(f(0.0));
  return Interval::unchecked(std::max(lower, -1.0), std::min(upper, 1.0));
}

}  // namespace

Interval::Interval(double lower, double upper) : lower_(lower), upper_(upper) {
  if (!(lower <= upper)) throw Misuse(fmt::format("[{}, {}] is no interval", lower, upper));
}

Interval Interval::whole() { return unchecked(-infinity, infinity); }
bool Interval::is_bounded() const { return std::isfinite(lower_) && std::isfinite(upper_); }

double Interval::middle() const {
  if (is_bounded()) return std::clamp(0.5 * lower_ + 0.5 * upper_, lower_, upper_);
  if (std::isfinite(lower_)) return lower_;
  return std::isfinite(upper_) ? upper_ : 0.0;
}
double Interval::width() const { return Outward().sub_up(upper_, lower_); }
double Interval::radius() const {
  const double m = middle();
  return std::max(Outward().sub_up(upper_, m), Outward().sub_up(m, lower_));
}
double Interval::magnitude() const { return std::max(std::abs(lower_), std::abs(upper_)); }

Interval& Interval::operator+=(const Interval& o) { return *this = out(in(*this) + in(o)); }
Interval& Interval::operator-=(const Interval& o) { return *this = out(in(*this) - in(o)); }
Interval& Interval::operator*=(const Interval& o) { return *this = out(in(*this) * in(o)); }
Interval& Interval::operator/=(const Interval& o) { return *this = out(in(*this) / in(o)); }

bool operator<(const Interval& x, const Interval& y) {
  if (x.upper() < y.lower()) return true;
  if (x.lower() >= y.upper()) return false;
  throw UndecidedComparison();
}
bool operator<=(const Interval& x, const Interval& y) {
  if (x.upper() <= y.lower()) return true;
  if (x.lower() > y.upper()) return false;
  throw UndecidedComparison();
}
bool operator==(const Interval& x, const Interval& y) {
  if (x.is_point() && y.is_point()) return x.lower() == y.lower();
  if (!overlap(x, y)) return false;
  throw UndecidedComparison();
}

Interval hull(const Interval& x, const Interval& y) {
  return Interval::unchecked(std::min(x.lower(), y.lower()), std::max(x.upper(), y.upper()));
}
bool overlap(const Interval& x, const Interval& y) { return x.lower() <= y.upper() && y.lower() <= x.upper(); }

Interval square(const Interval& x) { return out(boost::numeric::square(in(x))); }
Interval sqrt(const Interval& x) { return x.lower() < 0.0 ? Interval::whole() : out(boost::numeric::sqrt(in(x))); }

Interval exp(const Interval& x) {
  return increasing([](double v) { return std::exp(v); }, x, 0.0);
}
Interval log(const Interval& x) {
  if (x.lower() < 0.0) return Interval::whole();
  return increasing([](double v) { return std::log(v); }, x);
}
Interval sin(const Interval& x) {
  return wave([](double v) { return std::sin(v); }, x, -0.5);
}
Interval cos(const Interval& x) {
  return wave([](double v) { return std::cos(v); }, x, 0.0);
}
Interval tan(const Interval& x) {
  if (!(x.magnitude() < 1e15)) return Interval::whole();
  const Interval pi = Interval::unchecked(std::numbers::pi, above(std::numbers::pi));
  const Interval turns = x / pi + Interval(0.5);  // poles are at the integers
  if (std::ceil(turns.lower()) <= std::floor(turns.upper())) return Interval::whole();
  return increasing([](double v) { return std::tan(v); }, x);
}
Interval asin(const Interval& x) {
  return increasing([](double v) { return std::asin(v); }, x);
}
Interval acos(const Interval& x) {
  return -increasing([](double v) { return -std::acos(v); }, x, -4.0, 0.0);
}
Interval atan(const Interval& x) {
  return increasing([](double v) { return std::atan(v); }, x);
}
Interval sinh(const Interval& x) {
  return increasing([](double v) { return std::sinh(v); }, x);
}
Interval cosh(const Interval& x) {
  return increasing([](double v) { return std::cosh(v); }, abs(x), 1.0);
}
Interval tanh(const Interval& x) {
  return increasing([](double v) { return std::tanh(v); }, x, -1.0, 1.0);
}
Interval abs(const Interval& x) { return out(boost::numeric::abs(in(x))); }
Interval min(const Interval& x, const Interval& y) {
  return Interval::unchecked(std::min(x.lower(), y.lower()), std::min(x.upper(), y.upper()));
}
Interval max(const Interval& x, const Interval& y) {
  return Interval::unchecked(std::max(x.lower(), y.lower()), std::max(x.upper(), y.upper()));
}

// Whole exponents by multiplication, on any x; others as exp(p log x), where x must be positive.
Interval pow(const Interval& x, double p) {
  if (p == std::floor(p) && std::abs(p) <= 1024.0) {
    const int n = static_cast<int>(p);
    if (n == 0) return Interval(1.0);
    const Interval power = out(boost::numeric::pow(in(x), std::abs(n)));
    return n > 0 ? power : Interval(1.0) / power;
  }
  if (p == 0.5) return sqrt(x);
  if (x.lower() < 0.0) return Interval::whole();
  if (x.lower() == 0.0 && p > 0.0) return Interval::unchecked(0.0, pow(Interval(x.upper()), p).upper());
  return exp(Interval(p) * log(x));
}

}  // namespace driftless
