// The contract of all adaptive integrators: one accepted step at a time.
#pragma once

#include <memory>
#include <string>

#include "driftless/equations/manifold.h"
#include "driftless/integrate/adaptive_options.h"
#include "driftless/integrate/dense_step.h"
#include "driftless/integrate/statistics.h"
#include "driftless/integrate/step_history.h"

namespace driftless {

class Integrator {
 public:
  virtual ~Integrator() = default;

  // Advances by one accepted step, at most to the end, which is met exactly; nullopt if that worked.
  virtual std::optional<Failure> step() = 0;
  virtual bool finished() const = 0;

  virtual double time() const = 0;
  virtual double step_size() const = 0;  // of the last accepted step
  virtual int order() const = 0;         // of the method that took it
  // What a restart behind an event in that step should begin with, at most; 0: not known.
  virtual double restart_size() const { return 0.0; }
  virtual ConstSpan state() const = 0;
  virtual DenseStep dense() = 0;  // of the last accepted step; some methods evaluate a little more for it
  virtual const Statistics& statistics() const = 0;
  // Of the decisive matrix at the end of that step; to be asked before dense().
  virtual void regularity(Regularity& out) const = 0;
  virtual bool decisive(Matrix&) const { return false; }     // that matrix itself; false if nobody has kept it
  virtual const std::vector<MethodChange>& changes() const;  // of the method, by the automatic choice
  virtual bool implicit() const { return false; }            // were the last steps?

  // Attempts that are rejected from now on are appended there.
  virtual void note_rejections(std::vector<Rejection>& log) { rejections_ = &log; }

  // Everything the next step depends on, as text that is exact to the last bit.
  virtual std::string checkpoint() const = 0;

 protected:
  void note_rejection(double t, double h, RejectionCause cause, Statistics& statistics);
  std::vector<Rejection>* rejections_ = nullptr;
};

// `state` must be consistent.
std::unique_ptr<Integrator> make_integrator(const Equations& equations, const AdaptiveOptions& options, double begin,
                                            double end, ConstSpan state);
// Continues where checkpoint() was called, with the same equations and options, to bit-identical results. Misuse if the
// text is no checkpoint, or one of another method or of equations of another size.
std::unique_ptr<Integrator> resume_integrator(const Equations& equations, const AdaptiveOptions& options,
                                              const std::string& checkpoint);

// A first step for which an Euler step of the underlying ODE would change little; with its sign.
double first_step_size(const Equations& equations, Manifold& manifold, const AdaptiveOptions& options, double begin,
                       double end, ConstSpan state, int order);

}  // namespace driftless
