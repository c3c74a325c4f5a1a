#include "driftless/equations/mechanical.h"

#include <algorithm>
#include <stdexcept>

#include "driftless/core/scratch.h"

namespace driftless {

void Mechanical::Functions::constraint_rate(ConstSpan q, double t, ConstSpan dq, double dt, Span out) const {
  const std::size_t n = q.size(), m = out.size();
  Scratch scratch;
  const MatrixView g{scratch.take<double>(m * (n + 1)).data(), m, n + 1, m};
  constraint_jacobian(q, t, g);
  for (std::size_t i = 0; i < m; ++i) {
    out[i] = g(i, n) * dt;
    for (std::size_t j = 0; j < n; ++j) out[i] += g(i, j) * dq[j];
  }
}

void Mechanical::Functions::dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, MatrixView mass_out,
                                     Span force_out, MatrixView g, Span curvature) const {
  if (has_mass()) mass(q, t, mass_out);
  force(q, v, s, t, force_out);
  constraint_curving(q, t, v, g, curvature);
}

namespace {

void gather(ConstMatrixView from, const Pattern& pattern, Span values) {
  std::size_t k = 0;
  for (std::size_t j = 0; j < pattern.cols; ++j)
    for (; k < pattern.begin[j + 1]; ++k) values[k] = from(pattern.row[k], j);
}

}  // namespace

void Mechanical::Functions::sparse_dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span mass_values,
                                            Span force_out, Span jacobian, Span curvature) const {
  const std::size_t n = q.size(), m = curvature.size(), k = has_mass() ? n : 0;
  Scratch scratch;
  const MatrixView all{scratch.take<double>(k * k).data(), k, k, k}, g{scratch.take<double>(m * n).data(), m, n, m};
  dynamics(q, v, s, t, all, force_out, g, curvature);
  gather(all, structure()->mass, mass_values);
  gather(g, structure()->jacobian, jacobian);
}

void Mechanical::Functions::sparse_gradients(ConstSpan q, double t, Span mass_values, Span jacobian,
                                             Span time_derivative) const {
  const std::size_t n = q.size(), m = time_derivative.size(), k = has_mass() ? n : 0;
  Scratch scratch;
  const MatrixView all{scratch.take<double>(k * k).data(), k, k, k},
      g{scratch.take<double>(m * (n + 1)).data(), m, n + 1, m};
  if (has_mass()) mass(q, t, all);
  constraint_jacobian(q, t, g);
  gather(all, structure()->mass, mass_values);
  gather(g, structure()->jacobian, jacobian);
  std::ranges::copy(g.column(n), time_derivative.begin());
}

void Mechanical::Functions::constraint_curving(ConstSpan q, double t, ConstSpan v, MatrixView g, Span curvature) const {
  const std::size_t n = q.size(), m = g.rows;
  Scratch scratch;
  const MatrixView all{scratch.take<double>(m * (n + 1)).data(), m, n + 1, m};
  constraint_jacobian(q, t, all);
  for (std::size_t j = 0; j < n; ++j) std::ranges::copy(all.column(j), g.column(j).begin());
  constraint_curvature(q, t, v, 1.0, curvature);
}

void Mechanical::Functions::constraint_jacobians(ConstSpan q, double t, ConstSpan v, ConstSpan a, MatrixView value,
                                                 MatrixView first, MatrixView second) const {
  const std::size_t n = q.size(), m = value.rows;
  Scratch scratch;
  const MatrixView turn{scratch.take<double>(m * (n + 1)).data(), m, n + 1, m};
  constraint_jacobian(q, t, value);
  constraint_tangent_jacobian(q, t, v, 1.0, first);
  constraint_tangent_jacobian(q, t, a, 0.0, turn);
  constraint_curvature_jacobian(q, t, v, 1.0, second);
  for (std::size_t j = 0; j <= n; ++j)
    for (std::size_t k = 0; k < m; ++k) second(k, j) += turn(k, j);
}

void Mechanical::Functions::acceleration_jacobians(ConstSpan q, ConstSpan v, ConstSpan s, double t, ConstSpan a,
                                                   ConstSpan lambda, const AccelerationJacobians& out) const {
  const std::size_t n = q.size(), r = s.size(), m = lambda.size();
  Scratch scratch;
  const auto take = [&](std::size_t rows, std::size_t cols) {
    return MatrixView{scratch.take<double>(rows * cols).data(), rows, cols, rows};
  };
  const MatrixView by_force = take(n, 2 * n + r + 1), reaction = take(n, n + 1), momentum = take(n, n + 1),
                   value = take(m, n + 1), first = take(m, n + 1), second = take(m, n + 1);
  force_jacobian(q, v, s, t, by_force);
  constraint_jacobians(q, t, v, a, value, first, second);
  reaction_jacobian(q, t, lambda, reaction);
  if (has_mass()) {
    mass(q, t, out.mass);
    mass_jacobian(q, t, a, momentum);
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) out.balance(i, j) = momentum(i, j) - by_force(i, j) + reaction(i, j);
    for (std::size_t k = 0; k < m; ++k) {
      out.g(k, j) = value(k, j);
      out.constraint(k, j) = second(k, j);
      out.constraint(k, n + j) = 2.0 * first(k, j);  // the curvature is quadratic in (v, 1)
    }
  }
  for (std::size_t j = n; j < 2 * n + r; ++j)
    for (std::size_t i = 0; i < n; ++i) out.balance(i, j) = -by_force(i, j);
}

namespace {

[[noreturn]] void refuse_patterns() { throw std::logic_error("derivatives of which no pattern is known"); }

}  // namespace

void Mechanical::Functions::force_values(ConstSpan, ConstSpan, ConstSpan, double, Span) const { refuse_patterns(); }
void Mechanical::Functions::states_values(ConstSpan, ConstSpan, ConstSpan, double, Span) const { refuse_patterns(); }
void Mechanical::Functions::momentum_values(ConstSpan, double, ConstSpan, Span) const { refuse_patterns(); }
void Mechanical::Functions::reaction_values(ConstSpan, double, ConstSpan, Span) const { refuse_patterns(); }
void Mechanical::Functions::turning_values(ConstSpan, double, ConstSpan, ConstSpan, Span, Span) const {
  refuse_patterns();
}

}  // namespace driftless
