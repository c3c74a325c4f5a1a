// What the increments of a collocation step tell about errors that its estimate does not know.
#pragma once

#include "driftless/step/collocation.h"

namespace driftless {

// Squares of the last two divided differences of the increments over the nodes, through 0 at 0, weighted and summed.
struct LastDifferences {
  double last, before;
};
LastDifferences last_differences(const RadauConstants& radau, const Matrix& increments, ConstSpan weights);

// For a smooth solution the ratio of the last two divided differences is O(h), across a kink it is not, however small
// the estimate. A tenth of it, to the power s - 1, is the least share of the estimate that is kept.
double least_share(const LastDifferences& differences, int stages);

// If the increments of a component decay like r^k with the degree k, the estimate is |Z| r^(s+1) and the error of the
// method |Z| r^(2 s): the gain r^(s-1) = (estimate/|Z|)^((s-1)/(s+1)) is credited component by component, where the
// step itself shows it. A component that oscillates faster than the step resolves gets no credit; nor does a small
// oscillation on top of a large smooth motion, if `by_differences` looks at how the last differences decay.
struct Credit {
  double factor, least;
  bool by_differences;
};
void credit_superconvergence(const RadauConstants& radau, const Matrix& increments, const Credit& credit, Span error);

// The collocation polynomial has degree s: between the steps it may be off by far more than at their ends, above all in
// stiff components, which the filtered estimate does not see. If its last two coefficients are e and d, the next one of
// the solution is about d^2/e, and multiplies prod |tau - c_k|.
double error_between_steps(const RadauConstants& radau, const Matrix& increments, ConstSpan weights);

}  // namespace driftless
