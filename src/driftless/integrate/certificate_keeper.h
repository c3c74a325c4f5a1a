// A certificate is collected from accepted steps, and from states between them that are kept.
#pragma once

#include <array>
#include <span>

#include "driftless/equations/manifold.h"
#include "driftless/equations/written_constraint.h"
#include "driftless/integrate/certificate.h"

namespace driftless {

class CertificateKeeper {
 public:
  explicit CertificateKeeper(const Equations& equations, std::span<const WrittenConstraint> written = {});
  void see(double t, ConstSpan state);
  void see_between(double t, ConstSpan state) { certify(measure(t, state)); }
  const Certificate& certificate() const { return certificate_; }
  // Residuals of the levels at the last step seen, max norm; NaN where they could not be evaluated.
  const std::array<double, 3>& latest() const { return latest_; }

 private:
  using Levels = std::array<double, 3>;
  Levels measure(double t, ConstSpan state);
  void certify(const Levels& residuals);
  std::optional<double> energy_at(double t, ConstSpan state) const;

  const Equations& equations_;
  std::span<const WrittenConstraint> written_;
  std::unique_ptr<Manifold> manifold_;
  Vector residual_;
  Certificate certificate_;
  Levels latest_ = {0, 0, 0};
};

}  // namespace driftless
