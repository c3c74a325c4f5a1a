// How well a run kept its constraints: the largest residuals over all accepted steps.
#pragma once

#include <array>
#include <optional>

#include "driftless/equations/manifold.h"

namespace driftless {

struct Certificate {
  double position = 0.0;                                 // |g|
  double velocity = 0.0;                                 // |Dg f + g_t|, the first hidden constraint
  double acceleration = 0.0;                             // the second hidden constraint, with the multiplier
  double condition = 1.0;                                // worst condition seen of the matrix that decides the index
  std::optional<double> energy_at_start, energy_change;  // where the model states an energy: largest deviation
};

// Collects a certificate from accepted steps.
class CertificateKeeper {
 public:
  explicit CertificateKeeper(const Equations& equations);
  void see(double t, ConstSpan state);
  const Certificate& certificate() const { return certificate_; }
  // Residuals of the levels at the last state seen, max norm; NaN where they could not be evaluated.
  const std::array<double, 3>& latest() const { return latest_; }

 private:
  const Equations& equations_;
  std::unique_ptr<Manifold> manifold_;
  Vector residual_;
  Matrix decisive_;
  std::size_t seen_ = 0;
  Certificate certificate_;
  std::array<double, 3> latest_ = {0, 0, 0};
};

}  // namespace driftless
