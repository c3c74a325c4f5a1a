#include "driftless/analysis/stability/semi_inner_product.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {

namespace {

// lim (|u + e v| - |u|) / e for the plain norms; components of u are compared exactly.
double derivative_of(Norm::Kind kind, ConstSpan u, ConstSpan v, double side) {
  if (kind == Norm::Kind::two) {
    double squares = 0.0, product = 0.0, length = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      squares += u[i] * u[i];
      product += u[i] * v[i];
      length += v[i] * v[i];
    }
    return squares > 0.0 ? product / std::sqrt(squares) : side * std::sqrt(length);
  }
  if (kind == Norm::Kind::one) {
    double sum = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i)
      sum += u[i] == 0.0 ? side * std::abs(v[i]) : std::copysign(1.0, u[i]) * v[i];
    return sum;
  }
  double largest = 0.0;
  for (const double x : u) largest = std::max(largest, std::abs(x));
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (std::abs(u[i]) < largest) continue;
    const double along = largest == 0.0 ? std::abs(v[i]) : side * std::copysign(1.0, u[i]) * v[i];
    best = std::max(best, along);
  }
  return u.empty() ? 0.0 : side * best;
}

}  // namespace

double dini_derivative(const Norm& norm, ConstSpan u, ConstSpan slope, Side side) {
  return derivative_of(norm.kind(), norm.transform(u), norm.transform(slope), side == Side::right ? 1.0 : -1.0);
}

double semi_inner_product(const Norm& norm, ConstSpan u, ConstSpan v, Side side) {
  return norm(u) * dini_derivative(norm, u, v, side);
}

double dini_difference(const Norm& norm, ConstSpan u, ConstSpan previous) {
  Vector difference(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) difference[i] = u[i] - previous[i];
  return dini_derivative(norm, u, difference, Side::right);
}

}  // namespace driftless
