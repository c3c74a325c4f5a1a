#include "driftless/integrate/integrator.h"

#include "driftless/integrate/adaptive_auto.h"
#include "driftless/integrate/adaptive_explicit.h"
#include "driftless/integrate/adaptive_radau.h"
#include "driftless/integrate/run.h"

namespace driftless {

const std::vector<MethodChange>& Integrator::changes() const {
  static const std::vector<MethodChange> none;
  return none;
}

void Integrator::note_rejection(double t, double h, RejectionCause cause, Statistics& statistics) {
  switch (cause) {
    case RejectionCause::error: ++statistics.rejected_by_error; break;
    case RejectionCause::newton: ++statistics.rejected_by_newton; break;
    case RejectionCause::projection: ++statistics.rejected_by_projection; break;
  }
  if (rejections_) rejections_->push_back({t, h, cause});
}

namespace {

// Null for methods that are no pair.
const ExplicitPair* pair_of(AdaptiveMethod method) {
  switch (method) {
    case AdaptiveMethod::dop853: return &dop853_pair();
    case AdaptiveMethod::dopri5: return &dopri5_pair();
    case AdaptiveMethod::hem3: return &hem3_pair();
    case AdaptiveMethod::hem4: return &hem4_pair();
    case AdaptiveMethod::hem5: return &hem5_pair();
    case AdaptiveMethod::automatic:
    case AdaptiveMethod::radau: break;
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(const Equations& equations, const AdaptiveOptions& options, double begin,
                                            double end, ConstSpan state) {
  require_integrator(equations, options);
  if (const ExplicitPair* pair = pair_of(options.method))
    return std::make_unique<AdaptiveExplicit>(equations, options, *pair, begin, end, state);
  if (options.method == AdaptiveMethod::automatic)
    return std::make_unique<AdaptiveAuto>(equations, options, begin, end, state);
  return std::make_unique<AdaptiveRadau>(equations, options, begin, end, state);
}

std::unique_ptr<Integrator> resume_integrator(const Equations& equations, const AdaptiveOptions& options,
                                              const std::string& checkpoint) {
  require_integrator(equations, options);
  if (const ExplicitPair* pair = pair_of(options.method))
    return std::make_unique<AdaptiveExplicit>(equations, options, *pair, checkpoint);
  if (options.method == AdaptiveMethod::automatic)
    return std::make_unique<AdaptiveAuto>(equations, options, checkpoint);
  return std::make_unique<AdaptiveRadau>(equations, options, checkpoint);
}

}  // namespace driftless
