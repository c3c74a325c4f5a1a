// The equations as the user wrote them, at a state of the solver. What was eliminated takes part with the value that
// the user is shown, so that a slip on the way from the text to the solver shows here.
#pragma once

#include <memory>

#include "driftless/modelfile/compiled/model_probe.h"

namespace driftless {

enum class CheckedEquations {
  all,
  eliminated,  // those that the solver does not see and that contain no derivative: cheap enough for every step
};

class EquationFormulas {
 public:
  EquationFormulas(Reduction& reduction, const FormPlan& plan, std::span<const std::uint32_t> held,
                   CheckedEquations which);

  std::size_t size() const { return equations_.size(); }

 private:
  friend class EquationCheck;
  void choose_equations(const Reduction& reduction, CheckedEquations which);

  std::vector<std::size_t> equations_;  // in FlatModel::equations
  struct Value {
    std::uint32_t slot;
    double nominal;
  };
  std::vector<Value> values_;  // what they read, computed by the probe
  std::vector<std::uint32_t> held_;
  std::uint32_t time_;
  std::size_t slots_;
  std::shared_ptr<const ProbeFormulas> probe_;
  Program residuals_;  // of all slots: residuals, then the sums of the sizes of their terms
};

// One object per thread.
class EquationCheck {
 public:
  EquationCheck(std::shared_ptr<const EquationFormulas> formulas, const Equations& equations, HeldValues held);

  // |residual| divided by what errors of the size of the tolerance in all variables could make of it; the worst
  // equation. Values around 1 are what a tolerance promises.
  struct Worst {
    std::size_t equation = SIZE_MAX;  // in FlatModel::equations; none if all hold to rounding
    double residual = 0.0, ratio = 0.0;
    bool evaluated = true;  // false: rates, or a residual, have no value here, and nothing is said about them
  };
  Worst worst(double t, ConstSpan state, double relative, double absolute);

 private:
  std::shared_ptr<const EquationFormulas> formulas_;
  ModelProbe probe_;
  HeldValues held_;
  Vector values_, inputs_, moved_, residuals_, moved_residuals_, reach_;
};

}  // namespace driftless
