#include "driftless/step/radau_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/scratch.h"
#include "driftless/core/stop.h"
#include "driftless/nonlinear/convergence.h"
#include "driftless/step/stage_newton.h"

namespace driftless {

namespace {

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
  coupled_ = equations_.couple();
  if (coupled_) coupled_->reserve(static_cast<std::size_t>(largest));
}

bool RadauStep::factorise(double h) { return factorise_stages(constants_->basis, h, equations_); }

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

// False if the residual of stage i is not finite.
bool RadauStep::evaluate_stage(double t, ConstSpan x, double h, std::size_t i) {
  const ConstSpan z = z_.view().column(i), slope = slopes_.view().column(i);
  const Span r = residual_.view().column(i);
  for (std::size_t c = 0; c < size_; ++c) point_[c] = x[c] + z[c];
  point_time_ = t + constants_->c[i] * h;
  equations_.residual(point_time_, point_, slope, r);
  ++work_.evaluations;
  return all_finite(r);
}

// Residuals and Jacobians of all stages. The one of the first stage is left to the error estimate, which is taken at
// the beginning of the step.
bool RadauStep::linearise_stages(double t, ConstSpan x, double h) {
  for (std::size_t i = constants_->c.size(); i-- > 0;) {
    if (!evaluate_stage(t, x, h, i)) return false;
    equations_.linearise_stage(point_time_, point_, slopes_.view().column(i), residual_.view().column(i));
    coupled_->keep(i, equations_.matrices());
    ++work_.jacobians;
  }
  ++work_.factorisations;
  return coupled_->factorise(*constants_, h) && equations_.factorise_real(0, constants_->gamma / h);
}

// From the residuals to the corrections: of the increments themselves, or of their coordinates in the eigenbasis.
void RadauStep::correct(double h) {
  if (is_coupled_) return coupled_->solve(*constants_, h, residual_, correction_);
  correct_stages(constants_->basis, equations_, residual_, correction_);
}

void RadauStep::apply_corrections() {
  if (!is_coupled_) return combine_stages<true>(constants_->basis.t, 1.0, correction_, z_);
  const std::size_t count = size_ * constants_->c.size();
  for (std::size_t i = 0; i < count; ++i) z_.data()[i] += correction_.data()[i];
}

// Of one component in all stages, where the square of it overflows or that of its weight vanishes.
double RadauStep::weighted_square(std::size_t component, double weight) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < constants_->c.size(); ++i) {
    const double weighted = correction_(component, i) * weight;
    sum += weighted * weighted;
  }
  return sum;
}

double RadauStep::correction_norm(ConstSpan weights) {
  const std::size_t s = constants_->c.size();
  std::size_t counted = 0;
  double sum = 0.0, largest = 0.0;
  std::fill(slope_.begin(), slope_.end(), 0.0);
  for (std::size_t i = 0; i < s; ++i) {
    const double* __restrict column = correction_.data() + i * size_;
    double* __restrict squares = slope_.data();
    for (std::size_t c = 0; c < size_; ++c) squares[c] += column[c] * column[c];
  }
  for (std::size_t c = 0; c < size_; ++c) {
    const double weight = weights[c] * weights[c];
    const double part = std::isfinite(slope_[c]) && weight > 0.0 ? slope_[c] * weight : weighted_square(c, weights[c]);
    counted += weights[c] > 0.0;
    sum += part;
    if (part > largest) {
      largest = part;
      worst_ = c;
    }
  }
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, s * counted)));
}

// The strategies of RADAU5 (Hairer and Wanner II, IV.8): contraction theta from successive corrections, stop when
// theta/(1 - theta) |d| <= tolerance, give up early when the limit will not suffice. One iteration does not show theta,
// and that of an earlier step may be far too small: a Jacobian that was good there need not be good here.
RadauNewton RadauStep::solve(double t, ConstSpan x, double h, ConstSpan weights, const RadauNewtonOptions& options,
                             double& faccon) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  RadauNewton report{.contraction = 0.001};
  // With Jacobians of this very step, the contraction of the last one tells nothing.
  faccon = is_coupled_ ? 1.0 : std::pow(std::max(faccon, rounding), 0.8);
  double last_norm = 0.0, last_quotient = 0.0;
  while (report.iterations < options.limit) {
    check_stop();
    combine_stages(constants_->omega, 1.0 / h, z_, slopes_);
    bool finite = true;
    if (is_coupled_ && report.iterations == 0)
      finite = linearise_stages(t, x, h);
    else
      for (std::size_t i = 0; finite && i < constants_->c.size(); ++i) finite = evaluate_stage(t, x, h, i);
    ++report.iterations;
    if (!finite) {
      report.outcome = RadauNewton::Outcome::not_finite;
      return report;
    }
    correct(h);
    const double norm = correction_norm(weights);
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
    apply_corrections();
    const double least = report.iterations == 1 ? options.least_unseen : 0.0;
    if (std::max(faccon, least) * norm <= options.tolerance) {
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
  ++work_.evaluations;
  for (double& value : out) value = -value;
  equations_.solve_real(0, out);
}

void RadauStep::split_stiff(double h, Span error, Span stiff) const {
  std::ranges::copy(error, stiff.begin());
  for (int k = 0; k < 4; ++k) {
    equations_.apply_leading(stiff, slope_);
    for (double& value : slope_) value *= constants_->gamma / h;
    equations_.solve_real(0, slope_);
    for (std::size_t i = 0; i < size_; ++i) stiff[i] -= slope_[i];
  }
  for (std::size_t i = 0; i < size_; ++i) error[i] -= stiff[i];
}

}  // namespace driftless
