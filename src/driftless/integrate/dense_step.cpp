#include "driftless/integrate/dense_step.h"

#include "driftless/core/scratch.h"
#include "driftless/step/collocation.h"

namespace driftless {

void DenseStep::evaluate(double t, Span out) const {
  const std::size_t n = base.size(), s = static_cast<std::size_t>(stages);
  Scratch scratch;
  const Span weights = scratch.take<double>(s), through_stages = scratch.take<double>(s);
  const double tau = (t - begin) / h;
  collocation_weights(radau_constants(stages).c, tau, weights);
  stage_weights(radau_constants(stages).c, tau, through_stages);
  for (std::size_t i = 0; i < n; ++i) {
    const Span w = i + multipliers < n ? weights : through_stages;
    double sum = base[i];
    for (std::size_t j = 0; j < s; ++j) sum += w[j] * increments[i + j * n];
    out[i] = sum;
  }
}

}  // namespace driftless
