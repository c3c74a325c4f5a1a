// How well a run kept its constraints: the largest residuals over all accepted steps.
#pragma once

#include <array>
#include <optional>

#include "driftless/equations/manifold.h"

namespace driftless {

struct Certificate {
  double position = 0.0;        // |g|
  double velocity = 0.0;        // |Dg f + g_t|, the first hidden constraint
  double acceleration = 0.0;    // the second hidden constraint, with the multiplier
  double condition = 1.0;       // worst of the matrix that decides the index, see index_watch.h
  double condition_time = 0.0;  // when it was so
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
  Certificate certificate_;
  std::array<double, 3> latest_ = {0, 0, 0};
};

}  // namespace driftless
