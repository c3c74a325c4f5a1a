#include "driftless/integrate/event_step.h"

#include <cmath>

#include "driftless/linalg/decisive.h"
#include "driftless/linalg/rank.h"

namespace driftless {

namespace {

// b += a x
void add_product(const Matrix& a, ConstSpan x, Span b) {
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i) b[i] += a(i, j) * x[j];
}

// J D; directions of algebraic unknowns have a single entry each.
Matrix product(const Matrix& jacobian, const Matrix& directions) {
  Matrix result(jacobian.rows(), directions.cols());
  for (std::size_t l = 0; l < directions.cols(); ++l)
    for (std::size_t j = 0; j < directions.rows(); ++j) {
      const double factor = directions(j, l);
      for (std::size_t i = 0; factor != 0.0 && i < jacobian.rows(); ++i) result(i, l) += jacobian(i, j) * factor;
    }
  return result;
}

// Rows of J to unit length, and r with them; columns of D to unit length: a product of both is then free of units.
struct Scaled {
  Matrix jacobian, directions;
  Vector target;  // -r

  Scaled(const Matrix& j, const Matrix& d, ConstSpan residual)
      : jacobian(j), directions(d), target(residual.begin(), residual.end()) {
    for (std::size_t i = 0; i < j.rows(); ++i) {
      double square = 0.0;
      for (std::size_t k = 0; k < j.cols(); ++k) square += j(i, k) * j(i, k);
      const double factor = square > 0.0 ? 1.0 / std::sqrt(square) : 0.0;
      for (std::size_t k = 0; k < j.cols(); ++k) jacobian(i, k) *= factor;
      target[i] *= -factor;
    }
    for (std::size_t l = 0; l < d.cols(); ++l) {
      double square = 0.0;
      for (const double x : directions.view().column(l)) square += x * x;
      for (double& x : directions.view().column(l)) x *= square > 0.0 ? 1.0 / std::sqrt(square) : 0.0;
    }
  }
};

// The smallest w with U^T J w = U^T (-r), where the columns of U span what J D does not reach.
Vector beside(const Scaled& s, const Matrix& reached) {
  const SingularValues svd = singular_values(reached);
  const std::size_t m = reached.rows(), n = s.jacobian.cols();
  Matrix rows(m, n);
  Vector target(m, 0.0);
  for (std::size_t k = 0; k < m; ++k) {
    if (k < svd.s.size() && svd.s[k] > rank_tolerance) continue;
    double length = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < m; ++i) rows(k, j) += svd.u(i, k) * s.jacobian(i, j);
      length = std::hypot(length, rows(k, j));
    }
    for (std::size_t i = 0; i < m; ++i) target[k] += svd.u(i, k) * s.target[i];
    if (length > rank_tolerance) continue;  // otherwise a constraint that follows from the others, or what cannot move
    for (std::size_t j = 0; j < n; ++j) rows(k, j) = 0.0;
    target[k] = 0.0;
  }
  return least_norm_solution(rows, target);
}

}  // namespace

Vector event_step(const Matrix& jacobian, const Matrix& directions, ConstSpan residual) {
  const Scaled s(jacobian, directions, residual);
  DecisiveMatrix reached(s.target.size());
  reached.matrix() = product(s.jacobian, s.directions);
  Vector step(jacobian.cols(), 0.0), mu = s.target;
  if (!reached.factorise()) {
    step = beside(s, reached.matrix());
    Vector done(mu.size(), 0.0);
    add_product(s.jacobian, step, done);
    for (std::size_t i = 0; i < mu.size(); ++i) mu[i] -= done[i];
  }
  reached.solve(mu);
  add_product(s.directions, mu, step);
  return step;
}

}  // namespace driftless
