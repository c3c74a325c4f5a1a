// How well a run kept its constraints: the largest residuals over all accepted steps and all states that are kept.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "driftless/equations/manifold.h"
#include "driftless/equations/written_constraint.h"

namespace driftless {

// Of the constraints as the user wrote them, where SolveOptions::written says how they stand to those of the equations.
struct Certificate {
  double position = 0.0;        // |g|
  double velocity = 0.0;        // |Dg f + g_t|, the first hidden constraint
  double acceleration = 0.0;    // the second hidden constraint, with the multiplier
  double condition = 1.0;       // worst of the matrix that decides the index, see index_watch.h
  double condition_time = 0.0;  // when it was so
  std::optional<double> energy_at_start, energy_change;  // where the model states an energy: largest deviation
};

// Collects a certificate from accepted steps, and from states between them that are kept.
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

  const Equations& equations_;
  std::span<const WrittenConstraint> written_;
  std::unique_ptr<Manifold> manifold_;
  Vector residual_;
  Certificate certificate_;
  Levels latest_ = {0, 0, 0};
};

}  // namespace driftless
