// Theorem 2.1 of Schropp 2001 as measurements: how fast a disturbance of the multiplier decays (ii), how fast a
// disturbed run and its partner on the manifold approach each other (iii), how close psi_{0,h} is to psi_0 (iv).
#pragma once

#include "driftless/analysis/geometric/fit.h"
#include "driftless/analysis/geometric/invariant_manifold.h"
#include "driftless/core/execution.h"

namespace driftless {

// (ii): the distance |lambda_n - psi_{0,h}(u_n, t_n)| of a run that begins off the manifold.
struct Attractivity {
  double chi = 0.0;       // the largest ratio of two distances in a row, as far as they are above rounding
  double rounding = 0.0;  // what rounding can make of a ratio that is 0 in theory
  Vector distances = {};  // of the run that begins at the first point, before the first step and after each
  bool infinite() const { return chi <= rounding; }  // one step leads onto the manifold, as far as rounding lets us see
};

// (iii): |u_n - u~_n| and |lambda_n - lambda~_n| between a disturbed run and the run on the manifold that it
// approaches.
struct AsymptoticPhase {
  Vector partner = {};  // (u~_0, lambda~_0)
  Vector u_distances = {}, lambda_distances = {};
  double u_rate = 0.0, lambda_rate = 0.0;  // per step; NaN if there are not two distances above rounding
  double u_rounding = 0.0, lambda_rounding = 0.0;
};

struct AttractivityOptions {
  double disturbance = 0.01;  // of lambda, relative to 1 + |lambda|
  std::size_t most_steps = 60;
};

// The largest chi over the points given, each disturbed in every component of lambda.
Result<Attractivity> measure_attractivity(DiscreteManifold& manifold, const std::vector<ManifoldPoint>& points,
                                          const AttractivityOptions& options = {});
Result<AsymptoticPhase> measure_phase(DiscreteManifold& manifold, const ManifoldPoint& point,
                                      const AttractivityOptions& options = {});

struct ManifoldStudyOptions {
  Method method = {};
  Vector step_sizes = {0.1, 0.05, 0.025, 0.0125};
  std::vector<ManifoldPoint> points = {};  // where to look; see points_along_solution()
  AttractivityOptions attractivity = {};
  std::size_t step_limit = DiscreteManifold::usual_step_limit;  // for one step size
  Execution execution = {};
};

struct ManifoldStudy {
  struct Row {
    double step_size = 0.0;
    double closeness = 0.0;    // the largest |psi_0 - psi_{0,h}| over the points
    double rounding = 0.0;     // of it
    double uncertainty = 0.0;  // of psi_{0,h}, from steps that were not followed back
    Attractivity attractivity = {};
    AsymptoticPhase phase = {};  // at the first point
  };
  double r_infinity = 0.0;          // |R(infinity)| as the multiplier feels it
  PromisedCloseness promised = {};  // q or r
  std::vector<Row> rows = {};
  OrderFit closeness = {};      // of |psi_0 - psi_{0,h}|
  OrderFit chi_deviation = {};  // of |chi_h - |R(infinity)||, O(h^{q+1}) in the theorem
};

// Misuse for methods that have no invariant manifold, and without points or step sizes.
Result<ManifoldStudy> study_manifold(const Index2& equations, const ManifoldStudyOptions& options);

}  // namespace driftless
