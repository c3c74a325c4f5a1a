// What the theory of Higueras and Soderlind 2003 promises, beside what is measured: for tests, tables and pictures.
#pragma once

#include <string>
#include <vector>

#include "driftless/analysis/stability/index_loss.h"
#include "driftless/analysis/stability/perturbation_bound.h"
#include "testset/stability/cases.h"

namespace driftless::stability {

// Measured and bounded, at one time.
struct Pair {
  double measured = 0.0, bound = 0.0;
};

// measured / bound, where `noise` of the measurement is not held against the bound.
double quotient(const Pair& pair, double noise);

// 1. Constants known in closed form, enclosed with at most so many boxes.
struct ConstantRow {
  std::string problem, norm, symbol;
  double exact = 0.0;
  std::size_t boxes = 0;
  double lower = 0.0, upper = 0.0, sampled = 0.0;
  double width() const { return upper - lower; }
};
std::vector<ConstantRow> study_constants(const std::vector<std::size_t>& boxes = {1, 10, 100, 1000});

// 2. Deviations of perturbed solutions over time, against three bounds.
struct DeviationPoint {
  double time = 0.0;
  double p = 0.0, q = 0.0, total = 0.0;                   // |P dx|, |Q dx|, |dx|, measured
  DeviationBound product = {}, sharp = {}, in_tube = {};  // Theorem 3.4, Theorem 3.5, (3.24)
};
struct DeviationStudy {
  std::string problem, perturbation, norm;
  std::vector<DeviationPoint> points;
  double valid_until = 0.0;  // of the bounds in the tube

  // The largest over time, and the one at the end.
  struct Largest {
    double p = 0.0, q = 0.0, total = 0.0, p_at_end = 0.0;
  };
  Largest largest(const DeviationBound DeviationPoint::*bound) const;
};
std::vector<DeviationStudy> study_deviations(const std::vector<std::string>& norms = {"2", "inf"});

// 3. Global errors of fixed steps against bounds from the residuals of their Newton iterations.
struct ErrorPoint {
  double time = 0.0;
  Pair p, q;                // |P e|, |Q e|
  double q_residual = 0.0;  // |Q f|
};
struct ErrorStudy {
  std::string problem, method;
  double newton = 0.0;  // tolerance
  std::vector<ErrorPoint> points;
  double p_quotient = 0.0, q_quotient = 0.0;  // the largest over the steps
  double q_residual = 0.0;                    // the largest
  double q_share_of_p = 0.0;                  // what the Q residuals contribute to the bound of |P e| at the end
  double q_share_of_q = 0.0;                  // and directly to that of |Q e|
};
std::vector<ErrorStudy> study_errors();

// 4. Runs that carry their bound, without knowing the exact solution.
struct RunStudy {
  std::string problem, run;
  std::vector<ErrorPoint> points;
  double p_quotient = 0.0, q_quotient = 0.0, constraint_share = 0.0;
  bool valid = false, certain = false;
  std::string verdict;
};
std::vector<RunStudy> study_runs();

// 5. Problems that lose index 1 on the way, at a time known in closed form.
struct IndexLossStudy {
  std::string problem;
  double exact = 0.0;
  IndexLoss found;
};
std::vector<IndexLossStudy> study_index_loss();

}  // namespace driftless::stability
