#include "driftless/linalg/gmres.h"

#include <algorithm>
#include <cmath>

namespace driftless {

namespace {

double dot(ConstSpan weights, ConstSpan x, ConstSpan y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (weights.empty() ? 1.0 : weights[i]) * x[i] * y[i];
  return sum;
}

void add(double factor, ConstSpan x, Span y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += factor * x[i];
}

constexpr std::size_t together = 1024;  // entries, which stay in the cache while all vectors go by

ConstSpan part(ConstSpan x, std::size_t first) {
  return x.empty() ? x : x.subspan(first, std::min(together, x.size() - first));
}

// Gram and Schmidt, a second time where cancellation took digits away: appends the coefficients and the length that is
// left to `column`.
double make_orthogonal(const std::vector<Vector>& basis, ConstSpan weights, Vector& next, Vector& column) {
  column.assign(basis.size(), 0.0);
  double length = 0.0;
  for (bool again = true; again;) {
    Vector shares(basis.size(), 0.0);
    double before = 0.0, after = 0.0;
    for (std::size_t first = 0; first < next.size(); first += together) {
      const ConstSpan own = part(next, first), weight = part(weights, first);
      before += dot(weight, own, own);
      for (std::size_t j = 0; j < basis.size(); ++j) shares[j] += dot(weight, part(basis[j], first), own);
    }
    for (std::size_t first = 0; first < next.size(); first += together) {
      const Span own = Span(next).subspan(first, std::min(together, next.size() - first));
      for (std::size_t j = 0; j < basis.size(); ++j) add(-shares[j], part(basis[j], first), own);
      after += dot(part(weights, first), own, own);
    }
    for (std::size_t j = 0; j < basis.size(); ++j) column[j] += shares[j];
    length = std::sqrt(after);
    again = after < 0.01 * before && after > 0.0 && length > 1e-14 * std::sqrt(before);
  }
  column.push_back(length);
  return length;
}

// The small least-squares problem, kept triangular by Givens rotations.
class Hessenberg {
 public:
  explicit Hessenberg(double beta) : right_{beta} {}

  // Column j with j + 2 entries; returns the size of the residual that is left.
  double append(Vector column) {
    const std::size_t j = columns_.size();
    for (std::size_t i = 0; i < j; ++i) rotate(i, column[i], column[i + 1]);
    const double length = std::hypot(column[j], column[j + 1]);
    cosine_.push_back(length > 0.0 ? column[j] / length : 1.0);
    sine_.push_back(length > 0.0 ? column[j + 1] / length : 0.0);
    rotate(j, column[j], column[j + 1]);
    right_.push_back(0.0);
    rotate(j, right_[j], right_[j + 1]);
    columns_.push_back(std::move(column));
    return std::abs(right_[j + 1]);
  }

  Vector solve() const {
    Vector y(right_.begin(), right_.end() - 1);
    for (std::size_t j = y.size(); j-- > 0;) {
      y[j] = columns_[j][j] != 0.0 ? y[j] / columns_[j][j] : 0.0;
      for (std::size_t i = 0; i < j; ++i) y[i] -= columns_[j][i] * y[j];
    }
    return y;
  }

 private:
  void rotate(std::size_t k, double& upper, double& lower) const {
    const double old = upper;
    upper = cosine_[k] * old + sine_[k] * lower;
    lower = cosine_[k] * lower - sine_[k] * old;
  }

  std::vector<Vector> columns_;
  Vector cosine_, sine_, right_;
};

}  // namespace

GmresResult gmres(const LinearMap& a, const LinearMap& precondition, ConstSpan b, ConstSpan weights, Span x,
                  const GmresOptions& options) {
  std::fill(x.begin(), x.end(), 0.0);
  const double beta = std::sqrt(dot(weights, b, b));
  GmresResult result;
  if (!(beta > 0.0)) return {.reduction = 0.0};
  std::vector<Vector> basis = {Vector(b.begin(), b.end())};
  for (double& value : basis[0]) value /= beta;
  Hessenberg small(beta);
  Vector direction(precondition ? b.size() : 0);
  while (result.iterations < options.limit && result.reduction > options.reduction) {
    if (precondition) precondition(basis.back(), direction);
    Vector next(b.size()), column;
    a(precondition ? direction : basis.back(), next);
    const double length = make_orthogonal(basis, weights, next, column);
    result.reduction = small.append(std::move(column)) / beta;
    ++result.iterations;
    if (!(length > 0.0)) break;
    for (double& value : next) value /= length;
    basis.push_back(std::move(next));
  }
  const Vector y = small.solve();
  if (!precondition) {
    for (std::size_t j = 0; j < y.size(); ++j) add(y[j], basis[j], x);
    return result;
  }
  Vector sum(b.size(), 0.0);
  for (std::size_t j = 0; j < y.size(); ++j) add(y[j], basis[j], sum);
  precondition(sum, x);
  return result;
}

}  // namespace driftless
