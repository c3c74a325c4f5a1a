// Theorem 2.2 of the attracting-sets paper as a measurement: the Hausdorff distance between the attracting set of a DAE
// and that of a method, over a range of step sizes.
//
// What is sampled are limit sets. The discrete set of the theorem contains all of Gamma_0, so that its distance is the
// outward one alone; where motion inside Gamma_0 neither attracts nor repels, limit sets of a method may be smaller.
#pragma once

#include <algorithm>

#include "driftless/analysis/geometric/attractor_sample.h"
#include "driftless/analysis/geometric/fit.h"

namespace driftless {

struct AttractorStudyOptions {
  Method method = {};
  Vector step_sizes = {0.1, 0.05, 0.025};
  CloudOptions cloud = {};
  SamplingOptions sampling = {};  // its execution is that of everything
  double share = 1.0;             // of the points that the distances are of; below 1, the rarest are left out
  std::optional<PointCloud> reference = {};  // the attracting set, where it is known; else it is sampled
  // The equations that the method is applied to, where they are not those of the DAE: for comparisons, such as with
  // underlying_ode().
  std::optional<Index2> discretised = {};
  bool keep_points = false;  // in the result, for pictures
};

struct AttractorStudy {
  struct Row {
    double step_size = 0.0;
    double outward = 0.0;   // H*(Gamma_h, Gamma_0): how far the method's set reaches away from that of the DAE
    double inward = 0.0;    // H*(Gamma_0, Gamma_h): how much of the DAE's set it misses
    double distance = 0.0;  // H, the larger one
    double gap = 0.0;       // the distance between two samples of the method's own set: below it nothing can be seen
    double drift = 0.0;     // between the earlier and the later half of the samples
    double residual = 0.0;  // the largest |g(u)| at its points: rounding, unless the constraint was left out
    bool settled() const { return drift <= 3.0 * gap + 1e-12; }
    PointCloud points = {};
    std::optional<Failure> failure = {};  // there is no such set: runs failed or ran away
  };
  PointCloud reference = {};
  double reference_gap = 0.0;
  double reference_accuracy = 0.0;  // of its points: the tolerance of the runs, or 0 if it was given
  double floor(const Row& row) const { return std::max({row.gap, reference_gap, reference_accuracy}); }
  std::vector<Row> rows = {};
  OrderFit rate = {};  // of the distances above their floors, where the set has settled
  void fit();          // the rate, from the rows
  // Limit sets of the method miss part of the DAE's set, with small steps as with large ones: `inward` does not fall.
  bool leaves_out_inside() const;
};

Result<AttractorStudy> study_attractor(const Index2& equations, const AttractorStudyOptions& options);

// u' = Gamma^-1 f(u, psi_0(u, t)) without its constraint, (2.2): what remains after index reduction by hand. Methods on
// it are the ones that drift. Derivatives are differences. Where f is nonlinear in lambda, `guess` tells which psi_0.
Index2 underlying_ode(const Index2& equations, ConstSpan guess = {});

}  // namespace driftless
