#include "driftless/step/radau_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/scratch.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

// out(:, i) = sum_j factor weights(i, j) in(:, j), or added to it: all columns in one pass, with the number of stages
// known to the compiler, so that it is done in vector registers.
template <bool add, int s>
void combine(const Matrix& weights, double factor, const double* __restrict in, double* __restrict out, std::size_t n) {
  double w[s][s];
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) w[i][j] = factor * weights(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  for (int i = 0; i < s; ++i) {
    double* __restrict column = out + static_cast<std::size_t>(i) * n;
    for (std::size_t c = 0; c < n; ++c) {
      double sum = w[i][0] * in[c];
      for (int j = 1; j < s; ++j) sum += w[i][j] * in[static_cast<std::size_t>(j) * n + c];
      if constexpr (add)
        column[c] += sum;
      else
        column[c] = sum;
    }
  }
}

template <bool add = false>
void combine(const Matrix& weights, double factor, const Matrix& in, Matrix& out) {
  const std::size_t n = in.rows();
  switch (weights.rows()) {
    case 1: return combine<add, 1>(weights, factor, in.data(), out.data(), n);
    case 3: return combine<add, 3>(weights, factor, in.data(), out.data(), n);
    case 5: return combine<add, 5>(weights, factor, in.data(), out.data(), n);
    case 7: return combine<add, 7>(weights, factor, in.data(), out.data(), n);
    default: return combine<add, 9>(weights, factor, in.data(), out.data(), n);
  }
}

// out += sum_j weights_j columns(:, j)
void add_columns(ConstSpan weights, const Matrix& columns, Span out) {
  const std::size_t n = columns.rows();
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const double weight = weights[j];
    const double* __restrict column = columns.data() + j * n;
    double* __restrict sum = out.data();
    for (std::size_t c = 0; c < out.size(); ++c) sum[c] += weight * column[c];
  }
}

// Adds to x what the polynomial of a step with these nodes does between 1 and tau.
void add_continued(const RadauConstants& nodes, const Matrix& increments, double tau, Span x) {
  Scratch scratch;
  const Span weights = scratch.take_raw<double>(nodes.c.size());
  collocation_weights(nodes, tau, weights);
  weights.back() -= 1.0;
  add_columns(weights, increments, x);
}

}  // namespace

RadauStep::RadauStep(StageEquations& equations, int largest)
    : equations_(equations),
      size_(equations.size()),
      z_(size_, static_cast<std::size_t>(largest)),
      slopes_(size_, static_cast<std::size_t>(largest)),
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
  const RadauConstants& nodes = radau_constants(last_stages);
  for (std::size_t i = 0; i < constants_->c.size(); ++i) {
    const Span z = z_.view().column(i);
    std::ranges::fill(z, 0.0);
    add_continued(nodes, last, 1.0 + constants_->c[i] * ratio, z);
  }
}

void RadauStep::continue_to(const Matrix& last, int last_stages, double tau, Span x) {
  add_continued(radau_constants(last_stages), last, tau, x);
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
    combine(k.omega, 1.0 / h, z_, slopes_);
    for (std::size_t i = 0; i < s; ++i) {
      const ConstSpan z = z_.view().column(i);
      for (std::size_t c = 0; c < size_; ++c) point_[c] = x[c] + z[c];
      point_time_ = t + k.c[i] * h;
      equations_.residual(point_time_, point_, slopes_.view().column(i), residual_.view().column(i));
      if (!std::isfinite(max_norm(residual_.view().column(i)))) {
        report.outcome = RadauNewton::Outcome::not_finite;
        ++report.iterations;
        return report;
      }
    }
    combine(k.basis.t_inverse, -1.0, residual_, correction_);
    equations_.solve_real(0, correction_.view().column(0));
    for (std::size_t p = 0; p < k.basis.pairs.size(); ++p)
      equations_.solve_complex(p, correction_.view().column(1 + 2 * p), correction_.view().column(2 + 2 * p));
    ++report.iterations;
    double sum = 0.0, largest = 0.0;
    std::fill(slope_.begin(), slope_.end(), 0.0);
    for (std::size_t i = 0; i < s; ++i) {
      const double* __restrict column = correction_.data() + i * size_;
      double* __restrict squares = slope_.data();
      for (std::size_t c = 0; c < size_; ++c) squares[c] += column[c] * column[c];
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
    combine<true>(k.basis.t, 1.0, correction_, z_);
    if (faccon * norm <= options.tolerance) {
      report.outcome = RadauNewton::Outcome::converged;
      return report;
    }
  }
  return report;
}

// -residual(y, -w) = F(y) + B(y) w with w = sum e_i Z_i / h.
void RadauStep::error(double t, ConstSpan y, double h, Span out) const {
  std::fill(slope_.begin(), slope_.end(), 0.0);
  add_columns(constants_->error, z_, slope_);
  for (double& value : slope_) value /= -h;
  equations_.residual(t, y, slope_, out);
  for (double& value : out) value = -value;
  equations_.solve_real(0, out);
}

}  // namespace driftless
