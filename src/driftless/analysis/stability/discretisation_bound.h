// Global error bounds of discretised index-1 problems, sections 4 and 5 of Higueras and Soderlind 2003, from the
// residuals of the Newton iteration and the local errors, each split into its P and Q parts.
#pragma once

#include <vector>

#include "driftless/analysis/stability/majorant.h"
#include "driftless/analysis/stability/stage_monotonicity.h"

namespace driftless {

// Theorem 4.3 for implicit Euler, section 5 for others: is the step solvable, uniquely?
struct SolvabilityReport {
  bool index_1 = false;     // M_Q+[Qf] < 0
  double step_limit = 0.0;  // h S < m_D[A^-1]
  bool unique = false;      // for the step size asked about
};
SolvabilityReport solvability(const SplitConstants& constants, const StageMonotonicity& stages, double h);

// What one step contributed: h, |P(r_n - d_n)| resp. the parts of it, and |Q r_n| of the new point.
struct EulerStep {
  double h = 0.0;
  double p_residual = 0.0;    // |P r_n|
  double q_residual = 0.0;    // |Q r_n|
  double p_difference = 0.0;  // |P d_n|, the error of the difference quotient
};

struct GlobalErrorBound {
  double p = 0.0, q = 0.0;
  double p_from_local = 0.0, p_from_p_residual = 0.0, p_from_q_residual = 0.0;  // the parts of p
  double q_from_residual = 0.0;                                                 // the direct part of q
};

// (4.12) and (4.13), step by step, from |P e_0| = `start`. Bounds are infinite from the first step with h rate >= 1.
std::vector<GlobalErrorBound> euler_error_bounds(const Majorant& majorant, std::span<const EulerStep> steps,
                                                 double start = 0.0);
// (4.14): from the suprema, n steps of size h.
double euler_error_bound(const Majorant& majorant, double h, std::size_t n, double sup_p, double sup_q);
// (4.16): for all n, infinite unless rate < 0.
double euler_error_bound_for_ever(const Majorant& majorant, double sup_p, double sup_q);

// The bounds of the stage errors |(I x P) E|_D and |(I x Q) E|_D. (The display after (5.10) in the paper lacks the
// factor h before the Q residual, which its own inequality has.)
struct StageErrorBound {
  double p = 0.0, q = 0.0;
};
StageErrorBound stage_error_bound(const Majorant& majorant, const StageMonotonicity& stages, double h, double p_error,
                                  double p_residual_d, double q_residual_d);

struct RungeKuttaStep {
  double h = 0.0;
  double p_residual_d = 0.0, q_residual_d = 0.0;  // |(I x P) R|_D and |(I x Q) R|_D of the Newton iteration
  double q_residual = 0.0;                        // |Q f| at the new point
  double p_local = 0.0;                           // |P l_n|
};

class RungeKuttaBound {
 public:
  // `euclidean` says whether the norm comes from an inner product.
  RungeKuttaBound(const Tableau& tableau, bool euclidean);

  const StageMonotonicity& stages() const { return stages_; }
  // |.|_D of stage vectors whose norms are given.
  double stage_norm(ConstSpan norms) const;
  // By how much |P e| can grow in one exact step: the error growth function in Euclidean norms, else the stage bounds.
  double growth(double rate, double h) const;
  // |P l_n| from the defects that an exact solution leaves in the stage equations: `weighted` = |(A^-1 x P) Delta|_D
  // and `update` = |b^T A^-1 Delta - Delta_0|.
  double local_error(double rate, double h, double weighted, double update) const;
  std::vector<GlobalErrorBound> bounds(const Majorant& majorant, std::span<const RungeKuttaStep> steps,
                                       double start = 0.0) const;
  // One majorant for each step.
  std::vector<GlobalErrorBound> bounds(std::span<const Majorant> majorants, std::span<const RungeKuttaStep> steps,
                                       double start = 0.0) const;

 private:
  Tableau tableau_;
  bool euclidean_;
  double r_infinity_;
  StageMonotonicity stages_;
};

}  // namespace driftless
