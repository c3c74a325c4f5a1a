#include "driftless/analysis/stability/discretisation_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/analysis/stability/error_growth.h"
#include "driftless/core/failure.h"
#include "driftless/core/infinity.h"
#include "driftless/tableau/eigenbasis.h"
#include "driftless/tableau/properties.h"

namespace driftless {

namespace {

// All parts grow alike, then what the step adds.
void grow(GlobalErrorBound& b, double factor) {
  b.p_from_local *= factor;
  b.p_from_p_residual *= factor;
  b.p_from_q_residual *= factor;
}

void add_up(GlobalErrorBound& b, double from_start, const Majorant& m, double q_residual) {
  b.p = from_start + b.p_from_local + b.p_from_p_residual + b.p_from_q_residual;
  b.q_from_residual = m.direct * q_residual;
  b.q = m.slope * b.p + b.q_from_residual;
  for (double* x : {&b.p, &b.q})
    if (std::isnan(*x)) *x = infinity;
}

}  // namespace

SolvabilityReport solvability(const SplitConstants& constants, const StageMonotonicity& stages, double h) {
  SolvabilityReport report{.index_1 = constants.index_1()};
  report.step_limit = report.index_1 ? solvable_step_size(stages, schur_complement_constant(constants)) : 0.0;
  report.unique = report.index_1 && h < report.step_limit;
  return report;
}

std::vector<GlobalErrorBound> euler_error_bounds(const Majorant& m, std::span<const EulerStep> steps, double start) {
  std::vector<GlobalErrorBound> bounds;
  GlobalErrorBound b;
  double from_start = start;
  for (const EulerStep& step : steps) {
    const double divisor = 1.0 - step.h * m.rate;
    const double factor = divisor > 0.0 ? 1.0 / divisor : infinity;
    b.p_from_local += step.h * step.p_difference;
    b.p_from_p_residual += step.h * step.p_residual;
    b.p_from_q_residual += step.h * m.gain * step.q_residual;
    grow(b, factor);
    from_start *= factor;
    add_up(b, from_start, m, step.q_residual);
    bounds.push_back(b);
  }
  return bounds;
}

double euler_error_bound(const Majorant& m, double h, std::size_t n, double sup_p, double sup_q) {
  if (!(h * m.rate < 1.0)) return infinity;
  const double forcing = sup_p + m.gain * sup_q, count = static_cast<double>(n);
  if (m.rate == 0.0) return h * count * forcing;
  return std::expm1(-count * std::log1p(-h * m.rate)) / m.rate * forcing;
}

double euler_error_bound_for_ever(const Majorant& m, double sup_p, double sup_q) {
  return m.rate < 0.0 ? (sup_p + m.gain * sup_q) / -m.rate : infinity;
}

StageErrorBound stage_error_bound(const Majorant& m, const StageMonotonicity& stages, double h, double p_error,
                                  double p_residual_d, double q_residual_d) {
  const double divisor = stages.value - h * m.rate;
  if (!(divisor > 0.0)) return {infinity, infinity};
  StageErrorBound bound;
  bound.p = (stages.start_factor * p_error + h * p_residual_d + h * m.gain * q_residual_d) / divisor;
  bound.q = m.slope * bound.p + m.direct * q_residual_d;
  return bound;
}

RungeKuttaBound::RungeKuttaBound(const Tableau& tableau, bool euclidean)
    : tableau_(tableau),
      euclidean_(euclidean),
      r_infinity_(properties_of(tableau).r_infinity),
      stages_(euclidean ? stage_monotonicity(tableau) : stage_monotonicity_in_any_norm(tableau)) {}

double RungeKuttaBound::stage_norm(ConstSpan norms) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < norms.size(); ++i) sum += stages_.diagonal[i] * norms[i] * norms[i];
  return std::sqrt(sum);
}

double RungeKuttaBound::growth(double rate, double h) const {
  const double divisor = stages_.value - h * rate;
  double factor = infinity;
  if (divisor > 0.0) factor = std::abs(r_infinity_) + stages_.update_factor * stages_.start_factor / divisor;
  return euclidean_ ? std::min(factor, error_growth(tableau_, stages_, h * rate).factor) : factor;
}

double RungeKuttaBound::local_error(double rate, double h, double weighted, double update) const {
  const double divisor = stages_.value - h * rate;
  return divisor > 0.0 ? stages_.update_factor * weighted / divisor + update : infinity;
}

std::vector<GlobalErrorBound> RungeKuttaBound::bounds(const Majorant& m, std::span<const RungeKuttaStep> steps,
                                                      double start) const {
  return bounds(std::vector<Majorant>(steps.size(), m), steps, start);
}

std::vector<GlobalErrorBound> RungeKuttaBound::bounds(std::span<const Majorant> majorants,
                                                      std::span<const RungeKuttaStep> steps, double start) const {
  if (majorants.size() != steps.size()) throw Misuse("one majorant is needed for each step");
  std::vector<GlobalErrorBound> bounds;
  GlobalErrorBound b;
  double from_start = start, last_x = infinity, last_factor = 0.0;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const RungeKuttaStep& step = steps[n];
    const Majorant& m = majorants[n];
    const double x = step.h * m.rate;
    if (!(std::abs(x - last_x) <= 1e-14 * std::abs(x))) last_factor = growth(m.rate, step.h);
    last_x = x;
    const double factor = last_factor, divisor = stages_.value - step.h * m.rate;
    const double carried = divisor > 0.0 ? stages_.update_factor * step.h / divisor : infinity;
    grow(b, factor);
    from_start *= factor;
    b.p_from_local += step.p_local;
    b.p_from_p_residual += carried * step.p_residual_d;
    b.p_from_q_residual += carried * m.gain * step.q_residual_d;
    add_up(b, from_start, m, step.q_residual);
    bounds.push_back(b);
  }
  return bounds;
}

}  // namespace driftless
