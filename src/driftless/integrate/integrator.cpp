#include "driftless/integrate/integrator.h"

#include "driftless/integrate/adaptive_explicit.h"
#include "driftless/integrate/adaptive_radau.h"

namespace driftless {

std::unique_ptr<Integrator> make_integrator(const Equations& equations, const AdaptiveOptions& options, double begin,
                                            double end, ConstSpan state) {
  switch (options.method) {
    case AdaptiveMethod::dopri5:
      return std::make_unique<AdaptiveExplicit>(equations, options, dopri5_pair(), begin, end, state);
    case AdaptiveMethod::dop853:
      return std::make_unique<AdaptiveExplicit>(equations, options, dop853_pair(), begin, end, state);
    default: return std::make_unique<AdaptiveRadau>(equations, options, begin, end, state);
  }
}

std::unique_ptr<Integrator> resume_integrator(const Equations& equations, const AdaptiveOptions& options,
                                              const std::string& checkpoint) {
  switch (options.method) {
    case AdaptiveMethod::dopri5:
      return std::make_unique<AdaptiveExplicit>(equations, options, dopri5_pair(), checkpoint);
    case AdaptiveMethod::dop853:
      return std::make_unique<AdaptiveExplicit>(equations, options, dop853_pair(), checkpoint);
    default: return std::make_unique<AdaptiveRadau>(equations, options, checkpoint);
  }
}

}  // namespace driftless
