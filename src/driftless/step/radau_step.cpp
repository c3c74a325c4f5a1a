#include "driftless/step/radau_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/scratch.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

// out = sum_j weights(row, j) columns(:, j): along columns, so that it is done in vector registers.
void combine(const Matrix& weights, std::size_t row, const Matrix& columns, std::size_t count, Span out) {
  const std::size_t n = out.size();
  double* __restrict sum = out.data();
  std::fill(sum, sum + n, 0.0);
  for (std::size_t j = 0; j < count; ++j) {
    const double weight = weights(row, j);
    const double* __restrict column = columns.data() + j * n;
    for (std::size_t c = 0; c < n; ++c) sum[c] += weight * column[c];
  }
}

}  // namespace

RadauStep::RadauStep(StageEquations& equations, int largest)
    : equations_(equations),
      size_(equations.size()),
      z_(size_, static_cast<std::size_t>(largest)),
      residual_(size_, static_cast<std::size_t>(largest)),
      correction_(size_, static_cast<std::size_t>(largest)),
      point_(size_),
      slope_(size_) {
  equations_.reserve(1, static_cast<std::size_t>(largest / 2));
}

bool RadauStep::factorise(double h) {
  const Eigenbasis& basis = constants_->basis;
  bool regular = equations_.factorise_real(0, basis.real[0] / h);
  for (std::size_t k = 0; k < basis.pairs.size(); ++k)
    regular = regular && equations_.factorise_complex(k, Complex(basis.pairs[k].alpha, -basis.pairs[k].beta) / h);
  return regular;
}

void RadauStep::start_from_zero() { z_.view().fill(0.0); }

// Z_i = P(1 + c_i h/h_last) - P(1), P the polynomial of the last step, whose value at 1 is its last increment.
void RadauStep::continue_polynomial(const Matrix& last, int last_stages, double ratio) {
  const ConstSpan nodes = radau_constants(last_stages).c;
  Scratch scratch;
  const Span weights = scratch.take<double>(nodes.size());
  for (std::size_t i = 0; i < constants_->c.size(); ++i) {
    collocation_weights(nodes, 1.0 + constants_->c[i] * ratio, weights);
    weights.back() -= 1.0;
    const Span z = z_.view().column(i);
    std::fill(z.begin(), z.end(), 0.0);
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      const double* column = last.data() + j * size_;
      for (std::size_t k = 0; k < size_; ++k) z[k] += weights[j] * column[k];
    }
  }
}

void RadauStep::continue_to(const Matrix& last, int last_stages, double tau, Span x) {
  const ConstSpan nodes = radau_constants(last_stages).c;
  Scratch scratch;
  const Span weights = scratch.take<double>(nodes.size());
  collocation_weights(nodes, tau, weights);
  weights.back() -= 1.0;
  for (std::size_t j = 0; j < nodes.size(); ++j)
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += weights[j] * last(k, j);
}

// The strategies of RADAU5 (Hairer and Wanner II, IV.8): contraction theta from successive corrections in the
// eigenbasis, stop when theta/(1 - theta) |d| <= tolerance, give up early when the limit will not suffice.
RadauNewton RadauStep::solve(double t, ConstSpan x, double h, ConstSpan weights, const RadauNewtonOptions& options,
                             double& faccon) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  const RadauConstants& k = *constants_;
  const std::size_t s = k.c.size();
  RadauNewton report{.contraction = 0.001};
  faccon = std::pow(std::max(faccon, rounding), 0.8);
  double last_norm = 0.0, last_quotient = 0.0;
  std::size_t counted = 0;
  for (double w : weights) counted += w > 0.0;
  while (report.iterations < options.limit) {
    for (std::size_t i = 0; i < s; ++i) {
      combine(k.omega, i, z_, s, slope_);
      const ConstSpan z = z_.view().column(i);
      for (std::size_t c = 0; c < size_; ++c) {
        point_[c] = x[c] + z[c];
        slope_[c] /= h;
      }
      point_time_ = t + k.c[i] * h;
      equations_.residual(point_time_, point_, slope_, residual_.view().column(i));
      if (!std::isfinite(max_norm(residual_.view().column(i)))) {
        report.outcome = RadauNewton::Outcome::not_finite;
        ++report.iterations;
        return report;
      }
    }
    for (std::size_t i = 0; i < s; ++i) {
      const Span column = correction_.view().column(i);
      combine(k.basis.t_inverse, i, residual_, s, column);
      for (double& value : column) value = -value;
    }
    equations_.solve_real(0, correction_.view().column(0));
    for (std::size_t p = 0; p < k.basis.pairs.size(); ++p)
      equations_.solve_complex(p, correction_.view().column(1 + 2 * p), correction_.view().column(2 + 2 * p));
    ++report.iterations;
    double sum = 0.0, largest = 0.0;
    std::fill(slope_.begin(), slope_.end(), 0.0);  // of no use any more in this iteration
    for (std::size_t i = 0; i < s; ++i) {
      const double* column = correction_.data() + i * size_;
      for (std::size_t c = 0; c < size_; ++c) slope_[c] += column[c] * column[c];
    }
    for (std::size_t c = 0; c < size_; ++c) {
      const double part = slope_[c] * (weights[c] * weights[c]);
      sum += part;
      if (part > largest) {
        largest = part;
        worst_ = c;
      }
    }
    const double norm = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, s * counted)));
    if (!std::isfinite(norm)) {
      report.outcome = RadauNewton::Outcome::not_finite;
      return report;
    }
    if (report.iterations > 1 && report.iterations < options.limit) {
      const double quotient = norm / last_norm;
      report.contraction = report.iterations == 2 ? quotient : std::sqrt(quotient * last_quotient);
      last_quotient = quotient;
      if (!(report.contraction < 0.99)) return report;
      faccon = report.contraction / (1.0 - report.contraction);
      const double remaining = options.limit - 1 - report.iterations;
      const double expected = faccon * norm * std::pow(report.contraction, remaining) / options.tolerance;
      if (expected >= 1.0) {
        report.outcome = RadauNewton::Outcome::too_slow;
        report.retry_factor = 0.8 * std::pow(std::clamp(expected, 1e-4, 20.0), -1.0 / (4.0 + remaining));
        return report;
      }
    }
    last_norm = std::max(norm, rounding);
    for (std::size_t i = 0; i < s; ++i) {
      combine(k.basis.t, i, correction_, s, slope_);
      const Span z = z_.view().column(i);
      for (std::size_t c = 0; c < size_; ++c) z[c] += slope_[c];
    }
    if (faccon * norm <= options.tolerance) {
      report.outcome = RadauNewton::Outcome::converged;
      return report;
    }
  }
  return report;
}

// -residual(y, -w) = F(y) + B(y) w with w = sum e_i Z_i / h.
void RadauStep::error(double t, ConstSpan y, double h, Span out) const {
  for (std::size_t c = 0; c < size_; ++c) {
    double sum = 0.0;
    for (std::size_t i = 0; i < constants_->c.size(); ++i) sum += constants_->error[i] * z_(c, i);
    slope_[c] = -sum / h;
  }
  equations_.residual(t, y, slope_, out);
  for (double& value : out) value = -value;
  equations_.solve_real(0, out);
}

}  // namespace driftless
