#include "driftless/integrate/integrator.h"

#include "driftless/integrate/adaptive_auto.h"
#include "driftless/integrate/adaptive_explicit.h"
#include "driftless/integrate/adaptive_radau.h"

namespace driftless {

const std::vector<MethodChange>& Integrator::changes() const {
  static const std::vector<MethodChange> none;
  return none;
}

std::unique_ptr<Integrator> make_integrator(const Equations& equations, const AdaptiveOptions& options, double begin,
                                            double end, ConstSpan state) {
  switch (options.method) {
    case AdaptiveMethod::dopri5:
      return std::make_unique<AdaptiveExplicit>(equations, options, dopri5_pair(), begin, end, state);
    case AdaptiveMethod::dop853:
      return std::make_unique<AdaptiveExplicit>(equations, options, dop853_pair(), begin, end, state);
    case AdaptiveMethod::automatic: return std::make_unique<AdaptiveAuto>(equations, options, begin, end, state);
    case AdaptiveMethod::radau: break;
  }
  return std::make_unique<AdaptiveRadau>(equations, options, begin, end, state);
}

std::unique_ptr<Integrator> resume_integrator(const Equations& equations, const AdaptiveOptions& options,
                                              const std::string& checkpoint) {
  switch (options.method) {
    case AdaptiveMethod::dopri5:
      return std::make_unique<AdaptiveExplicit>(equations, options, dopri5_pair(), checkpoint);
    case AdaptiveMethod::dop853:
      return std::make_unique<AdaptiveExplicit>(equations, options, dop853_pair(), checkpoint);
    case AdaptiveMethod::automatic: return std::make_unique<AdaptiveAuto>(equations, options, checkpoint);
    case AdaptiveMethod::radau: break;
  }
  return std::make_unique<AdaptiveRadau>(equations, options, checkpoint);
}

}  // namespace driftless
