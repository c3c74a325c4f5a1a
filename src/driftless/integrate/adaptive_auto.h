// Explicit steps until the equations turn out to be stiff, Radau steps until they are not any more.
#pragma once

#include "driftless/integrate/adaptive_explicit.h"
#include "driftless/integrate/adaptive_radau.h"
#include "driftless/integrate/stiffness.h"

namespace driftless {

class AdaptiveAuto final : public Integrator {
 public:
  AdaptiveAuto(const Equations& equations, const AdaptiveOptions& options, double begin, double end, ConstSpan state);
  AdaptiveAuto(const Equations& equations, const AdaptiveOptions& options, const std::string& checkpoint);
  std::string checkpoint() const override;

  std::optional<Failure> step() override;
  bool finished() const override { return current().finished(); }
  double time() const override { return current().time(); }
  double step_size() const override { return current().step_size(); }
  int order() const override { return current().order(); }
  double restart_size() const override { return current().restart_size(); }
  void note_rejections(std::vector<Rejection>& log) override {
    Integrator::note_rejections(log);
    current().note_rejections(log);
  }
  ConstSpan state() const override { return current().state(); }
  DenseStep dense() override;
  const Statistics& statistics() const override { return statistics_; }
  void regularity(Regularity& out) const override { current().regularity(out); }
  bool decisive(Matrix& out) const override { return current().decisive(out); }
  const std::vector<MethodChange>& changes() const override { return changes_; }
  bool implicit() const override { return radau_ != nullptr; }

  template <class Visitor>
  void visit(Visitor&& visitor) {
    bool turning = !turn_because_.empty();
    visitor(always_implicit_, end_, before_, statistics_, suspicious_steps_, oscillating_checks_, easy_steps_wanted_,
            since_change_, mean_tried_, oscillates_, explicit_from_now_, turning, radius_);
    if (turning && turn_because_.empty()) turn_because_ = "decided before the checkpoint";
  }

 private:
  const Integrator& current() const;
  Integrator& current();
  bool has_turned() const { return before_.turned_implicit + before_.turned_explicit > 0; }
  void turn_implicit(const std::string& why);
  void turn_explicit(const std::string& why);
  bool looks_closely() const;
  bool is_clearly_stiff(double fastest) const;
  bool implicit_pays(double fastest);
  double fastest_mode();
  void watch_explicit();
  void suspect(double fastest);
  double resolving() const;
  void watch_oscillation(double fastest);
  void watch_implicit();
  const ExplicitPair& pair() const;

  Equations equations_;
  AdaptiveOptions options_;
  double end_ = 0.0;
  bool cheap_ = false;           // are the matrices of implicit steps
  bool many_ = false;            // unknowns, and matrices that are sparse
  double implicit_price_ = 0.0;  // of an implicit step in explicit ones, if it has been asked
  bool always_implicit_ = false;
  std::unique_ptr<AdaptiveExplicit> explicit_;
  std::unique_ptr<AdaptiveRadau> radau_;
  SpectralRadius radius_;
  Statistics before_, statistics_;  // of the integrators that ended, and in all
  std::vector<MethodChange> changes_;
  // What is to be done before the next step.
  std::string turn_because_;
  std::size_t suspicious_steps_ = 0, oscillating_checks_ = 0, easy_steps_wanted_ = 5, since_change_ = 0;
  double mean_tried_ = 0.0;  // size of the steps that were tried, in units of the stability limit; while suspicious
  bool oscillates_ = false, explicit_from_now_ = false;
};

}  // namespace driftless
