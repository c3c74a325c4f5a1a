#include "driftless/integrate/certificate_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/nonlinear/convergence.h"

namespace driftless {

CertificateKeeper::CertificateKeeper(const Equations& equations, std::span<const WrittenConstraint> written)
    : equations_(equations),
      written_(written),
      manifold_(make_manifold(equations)),
      residual_(manifold_->constraint_count()) {
  if (!written_.empty() && written_.size() != residual_.size())
    throw Misuse(
        fmt::format("{} constraints as written, but the equations have {}", written_.size(), residual_.size()));
}

// Level k of a constraint is derivative k - 1 of it, and derivative k - 1 - i of an equation that was integrated i
// times. What lies below the equation itself, its integrals, the user does not have.
CertificateKeeper::Levels CertificateKeeper::measure(double t, ConstSpan state) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Levels found = {0, 0, 0};
  for (int level = 1; level <= manifold_->levels(); ++level) {
    double& whole = found[static_cast<std::size_t>(level - 1)];
    if (manifold_->residual(level, t, state, residual_) != ManifoldStatus::ok)
      whole = unknown;
    else if (written_.empty())
      whole = max_norm(residual_);
    else
      for (std::size_t i = 0; i < residual_.size(); ++i)
        if (const int order = level - 1 - written_[i].integrated; order >= 0) {
          double& worst = found[static_cast<std::size_t>(order)];
          const double one = std::abs(residual_[i] / written_[i].scale);
          worst = one > worst || std::isnan(one) ? one : worst;
        }
  }
  return found;
}

void CertificateKeeper::certify(const Levels& residuals) {
  double* const levels[] = {&certificate_.position, &certificate_.velocity, &certificate_.acceleration};
  for (std::size_t k = 0; k < residuals.size(); ++k) *levels[k] = std::fmax(*levels[k], residuals[k]);
}

std::optional<double> CertificateKeeper::energy_at(double t, ConstSpan state) const {
  if (const auto* form = std::get_if<Mechanical>(&equations_)) {
    const std::size_t n = form->q_size();
    return form->functions().energy(state.subspan(0, n), state.subspan(n, n), t);
  }
  if (const auto* form = std::get_if<WideMechanical>(&equations_)) {
    const std::size_t n = form->q_size();
    return form->functions().energy(state.subspan(0, n), state.subspan(n, form->v_size()), t);
  }
  return std::nullopt;
}

void CertificateKeeper::see(double t, ConstSpan state) {
  latest_ = measure(t, state);
  certify(latest_);
  const auto energy = energy_at(t, state);
  if (!energy) return;
  if (!certificate_.energy_at_start) certificate_.energy_at_start = *energy;
  certificate_.energy_change =
      std::max(certificate_.energy_change.value_or(0.0), std::abs(*energy - *certificate_.energy_at_start));
}

}  // namespace driftless
