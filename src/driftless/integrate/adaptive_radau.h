// Adaptive Radau IIA with projection, one accepted step at a time.
#pragma once

#include <string>

#include "driftless/integrate/integrator.h"

namespace driftless {

class AdaptiveRadau final : public Integrator {
 public:
  // `state` must be consistent. Steps go towards `end` and stop exactly there.
  AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, double begin, double end, ConstSpan state);
  // Continues where checkpoint() was called.
  AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, const std::string& checkpoint);
  AdaptiveRadau(AdaptiveRadau&&) noexcept;
  ~AdaptiveRadau() override;
  std::string checkpoint() const override;

  std::optional<Failure> step() override;
  bool finished() const override;

  double time() const override;
  double step_size() const override;
  int stages() const;
  int order() const override { return 2 * stages() - 1; }
  ConstSpan state() const override;
  DenseStep dense() override;
  const Statistics& statistics() const override;
  void regularity(Regularity& out) const override;
  bool decisive(Matrix& out) const override;
  bool implicit() const override { return true; }

 private:
  struct Parts;

  std::optional<Failure> hopeless();
  void count_attempt(double t, double h, bool accepted, std::optional<RejectionCause> cause);

  std::unique_ptr<Parts> parts_;
};

}  // namespace driftless
