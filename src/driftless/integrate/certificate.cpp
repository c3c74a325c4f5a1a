#include "driftless/integrate/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/nonlinear/convergence.h"

namespace driftless {

CertificateKeeper::CertificateKeeper(const Equations& equations)
    : equations_(equations), manifold_(make_manifold(equations)), residual_(manifold_->constraint_count()) {}

void CertificateKeeper::see(double t, ConstSpan state) {
  double* const levels[] = {&certificate_.position, &certificate_.velocity, &certificate_.acceleration};
  for (int level = manifold_->levels(); level >= 1; --level) {
    double& latest = latest_[static_cast<std::size_t>(level - 1)];
    latest = std::numeric_limits<double>::quiet_NaN();
    if (manifold_->residual(level, t, state, residual_) != ManifoldStatus::ok) continue;
    latest = max_norm(residual_);
    *levels[level - 1] = std::fmax(*levels[level - 1], latest);
  }
  const auto* mechanical = std::get_if<Mechanical>(&equations_);
  if (!mechanical) return;
  const std::size_t n = mechanical->q_size();
  const auto energy = mechanical->functions().energy(state.subspan(0, n), state.subspan(n, n), t);
  if (!energy) return;
  if (!certificate_.energy_at_start) certificate_.energy_at_start = *energy;
  certificate_.energy_change =
      std::max(certificate_.energy_change.value_or(0.0), std::abs(*energy - *certificate_.energy_at_start));
}

}  // namespace driftless
