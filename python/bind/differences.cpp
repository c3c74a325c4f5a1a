#include "differences.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::python {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

double size_of(double x) { return std::max(std::abs(x), 1.0); }

double largest(ConstSpan values) {
  double found = 0.0;
  for (const double value : values) found = std::isnan(value) ? value : std::max(found, std::abs(value));
  return found;
}

// By how much s may grow until a component has moved by its own size.
double reach(ConstSpan x, ConstSpan direction) {
  double share = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) share = std::max(share, std::abs(direction[i]) / size_of(x[i]));
  return share > 0.0 ? 1.0 / share : 1.0;
}

class Line {
 public:
  Line(const Formula& f, ConstSpan x, ConstSpan direction, std::size_t results)
      : f_(f), x_(x), direction_(direction), at_(x.size()), ahead_(results), behind_(results) {}

  // (f(s) - f(-s)) / (2 s) or, with f(0), (f(s) - 2 f(0) + f(-s)) / s^2: both have errors in even powers of s.
  void first(double s, Span out) {
    both(s);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = (ahead_[i] - behind_[i]) / (2.0 * s);
  }
  void second(double s, ConstSpan middle, Span out) {
    both(s);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = ((ahead_[i] - middle[i]) - (middle[i] - behind_[i])) / (s * s);
  }
  double value(std::size_t i) const { return std::max(std::abs(ahead_[i]), std::abs(behind_[i])); }

 private:
  void both(double s) {
    go(s, ahead_);
    go(-s, behind_);
  }
  void go(double s, Vector& out) {
    for (std::size_t i = 0; i < at_.size(); ++i) at_[i] = x_[i] + s * direction_[i];
    f_(at_, out);
  }

  const Formula& f_;
  ConstSpan x_, direction_;
  Vector at_, ahead_, behind_;
};

// Romberg's extrapolation from s, s/2, s/4, of order 6. The difference of its last two columns tells how far a
// component can be trusted. Where that is more than rounding, a smaller s is tried, and counts if it is far better: the
// function may have a small scale, a kink nearby, or may not be defined so far away. (Where nothing but rounding is
// left, a smaller s is no better, or by chance only.)
template <class Quotient, class Noise>
void extrapolate(double s, const Quotient& quotient, const Noise& noise, Span out) {
  const std::size_t m = out.size();
  Vector a(m), b(m), c(m), best_doubt(m, std::numeric_limits<double>::infinity());
  std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
  for (int round = 0; round < 7; ++round, s /= 8.0) {
    quotient(s, a);
    quotient(s / 2.0, b);
    quotient(s / 4.0, c);
    bool trusted = true, better = false;
    for (std::size_t i = 0; i < m; ++i) {
      const double coarse = b[i] + (b[i] - a[i]) / 3.0, fine = c[i] + (c[i] - b[i]) / 3.0;
      const double found = fine + (fine - coarse) / 15.0, doubt = std::abs(found - fine);
      if (doubt < 0.01 * best_doubt[i]) {
        better = true;
        best_doubt[i] = doubt;
        out[i] = found;
      }
      trusted = trusted && best_doubt[i] <= 1e-11 * std::abs(out[i]) + noise(i, s / 4.0);
    }
    if (trusted || (round > 0 && !better)) break;
  }
}

}  // namespace

void slope_along(const Formula& f, ConstSpan x, ConstSpan direction, Needed needed, Span out) {
  if (out.empty()) return;
  Line line(f, x, direction, out.size());
  const double unit = reach(x, direction);
  if (needed == Needed::for_newton) {
    // Truncation s^2 and rounding eps/s meet at eps^(1/3).
    double s = unit * std::cbrt(rounding);
    line.first(s, out);
    for (int round = 0; round < 3 && !std::isfinite(largest(out)); ++round) line.first(s /= 32.0, out);
    return;
  }
  extrapolate(
      0.02 * unit, [&](double s, Span to) { line.first(s, to); },
      [&](std::size_t i, double s) { return 8.0 * rounding * (1.0 + line.value(i)) / s; }, out);
}

void curvature_along(const Formula& f, ConstSpan x, ConstSpan direction, Span out) {
  if (out.empty()) return;
  Line line(f, x, direction, out.size());
  Vector middle(out.size());
  f(x, middle);
  extrapolate(
      0.05 * reach(x, direction), [&](double s, Span to) { line.second(s, middle, to); },
      [&](std::size_t i, double s) { return 16.0 * rounding * (1.0 + line.value(i)) / (s * s); }, out);
}

void difference_jacobian(const Formula& f, ConstSpan x, std::size_t first, Needed needed, MatrixView j) {
  Vector direction(x.size(), 0.0);
  for (std::size_t k = 0; k < j.cols; ++k) {
    direction[first + k] = 1.0;
    slope_along(f, x, direction, needed, j.column(k));
    direction[first + k] = 0.0;
  }
}

void coloured_differences(const Formula& f, ConstSpan x, const Pattern& pattern,
                          const std::vector<std::uint32_t>& colour, Span values) {
  const std::uint32_t colours = colour.empty() ? 0 : *std::ranges::max_element(colour) + 1;
  Vector direction(x.size()), slope(pattern.rows);
  for (std::uint32_t one = 0; one < colours; ++one) {
    for (std::size_t j = 0; j < pattern.cols; ++j) direction[j] = colour[j] == one ? size_of(x[j]) : 0.0;
    slope_along(f, x, direction, Needed::for_newton, slope);
    for (std::size_t j = 0; j < pattern.cols; ++j)
      if (colour[j] == one)
        for (std::uint32_t k = pattern.begin[j]; k < pattern.begin[j + 1]; ++k)
          values[k] = slope[pattern.row[k]] / direction[j];
  }
}

}  // namespace driftless::python
