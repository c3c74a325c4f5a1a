#include "driftless/analysis/stability/discretisation_run.h"

#include <algorithm>
#include <cmath>

#include "driftless/core/failure.h"
#include "driftless/core/require.h"
#include "driftless/core/stop.h"
#include "driftless/equations/equations.h"
#include "driftless/integrate/consistent_start.h"
#include "driftless/linalg/dense.h"
#include "driftless/step/stepper.h"
#include "driftless/tableau/eigenbasis.h"

namespace driftless {

namespace {

// Residuals of the stage equations (5.4), divided by h: P R_i = 1/h sum_j w_ij P Z_j - P f(X_i), Q R_i = -Q f(X_i).
class StageResiduals {
 public:
  StageResiduals(const Index1& form, const DiscretisationOptions& options)
      : form_(form),
        tableau_(options.tableau),
        split_(form.projector(), options.norm),
        bound_(options.tableau, options.norm.is_euclidean()),
        omega_(inverse_of(options.tableau.a)) {}

  const RungeKuttaBound& bound() const { return bound_; }
  const Index1Split& split() const { return split_; }

  void measure(double t, ConstSpan from, const Matrix& z, DiscretisationStep& step) const {
    const std::size_t n = form_.size(), s = tableau_.stages();
    Vector p_norms(s), q_norms(s), x(n), f(n), slope(n);
    step.lowest = step.highest = step.state;
    for (std::size_t i = 0; i < s; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        x[k] = from[k] + z(k, i);
        step.lowest[k] = std::min(step.lowest[k], x[k]);
        step.highest[k] = std::max(step.highest[k], x[k]);
        slope[k] = 0.0;
        for (std::size_t j = 0; j < s; ++j) slope[k] += omega_(i, j) * z(k, j) / step.h;
      }
      form_.functions().f(x, t + tableau_.c[i] * step.h, f);
      for (std::size_t k = 0; k < n; ++k) slope[k] -= f[k];
      p_norms[i] = split_.p_norm(slope);
      q_norms[i] = split_.q_norm(f);
    }
    step.p_residual_d = bound_.stage_norm(p_norms);
    step.q_residual_d = bound_.stage_norm(q_norms);
    form_.functions().f(step.state, t + step.h, f);
    step.q_residual = split_.q_norm(f);
  }

  // |P l_n| from what an exact solution leaves in the stage equations.
  double local_error(double t, double h, double rate, const std::function<Vector(double)>& exact) const {
    const std::size_t n = form_.size(), s = tableau_.stages();
    const Vector begin = exact(t), end = exact(t + h);
    Matrix x(n, s), f(n, s), defect(n, s);
    Vector last(n);
    for (std::size_t i = 0; i < s; ++i) {
      const double ti = t + tableau_.c[i] * h;
      const Vector here = tableau_.c[i] == 1.0 ? end : exact(ti);
      std::copy(here.begin(), here.end(), x.view().column(i).begin());
      form_.functions().f(here, ti, f.view().column(i));
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < s; ++i) {
        defect(k, i) = x(k, i) - begin[k];
        for (std::size_t j = 0; j < s; ++j) defect(k, i) -= h * tableau_.a(i, j) * f(k, j);
      }
      last[k] = end[k] - begin[k];
      for (std::size_t j = 0; j < s; ++j) last[k] -= h * tableau_.b[j] * f(k, j);
    }
    const Vector d = b_times_inverse(tableau_);
    Vector norms(s), weighted(n), update(n);
    for (std::size_t i = 0; i < s; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        weighted[k] = 0.0;
        for (std::size_t j = 0; j < s; ++j) weighted[k] += omega_(i, j) * defect(k, j);
      }
      norms[i] = split_.p_norm(weighted);
    }
    for (std::size_t k = 0; k < n; ++k) {
      update[k] = -last[k];
      for (std::size_t i = 0; i < s; ++i) update[k] += d[i] * defect(k, i);
    }
    return bound_.local_error(rate, h, bound_.stage_norm(norms), split_.p_norm(update));
  }

 private:
  const Index1& form_;
  const Tableau& tableau_;
  Index1Split split_;
  RungeKuttaBound bound_;
  Matrix omega_;
};

}  // namespace

Result<DiscretisationRun> run_discretisation(const Index1& form, ConstSpan start,
                                             const DiscretisationOptions& options) {
  if (options.steps == 0 || !(options.end > options.begin)) throw Misuse("a run needs steps and a span of time");
  require_finite("the span", options.end - options.begin);
  const Equations equations = form;
  const StageResiduals residuals(form, options);
  auto consistent = make_consistent(equations, options.begin, start);
  if (!consistent) return consistent.failure();
  const auto stepper =
      make_stepper(equations, {.tableau = options.tableau, .projection = Projection::none}, options.newton);
  const auto workspace = stepper->make_workspace();
  Attempt attempt = stepper->make_attempt();
  attempt.increments = Matrix(form.size(), options.tableau.stages());
  DiscretisationRun run{.start = consistent->state, .steps = {}};
  Vector state = run.start;
  const double h = (options.end - options.begin) / static_cast<double>(options.steps);
  for (std::size_t n = 0; n < options.steps; ++n) {
    check_stop();
    const double t = options.begin + h * static_cast<double>(n);
    if (auto failure = stepper->attempt(t, state, h, *workspace, attempt)) return std::move(*failure);
    DiscretisationStep step{.time = t + h, .h = h, .state = attempt.state, .lowest = {}, .highest = {}};
    step.newton_iterations = attempt.newton_iterations;
    residuals.measure(t, state, attempt.increments, step);
    state = attempt.state;
    run.steps.push_back(std::move(step));
  }
  return run;
}

std::vector<GlobalErrorBound> bound_discretisation(const Index1& form, const DiscretisationRun& run,
                                                   const DiscretisationOptions& options, const Majorant& majorant,
                                                   const std::function<Vector(double t)>& exact) {
  const StageResiduals residuals(form, options);
  std::vector<RungeKuttaStep> steps;
  for (const DiscretisationStep& step : run.steps)
    steps.push_back({.h = step.h,
                     .p_residual_d = step.p_residual_d,
                     .q_residual_d = step.q_residual_d,
                     .q_residual = step.q_residual,
                     .p_local = residuals.local_error(step.time - step.h, step.h, majorant.rate, exact)});
  Vector difference = exact(options.begin);
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= run.start[i];
  return residuals.bound().bounds(majorant, steps, residuals.split().p_norm(difference));
}

}  // namespace driftless
