// Values of expressions of the model along a solution: computed from a state, and from its rate of change where
// derivatives occur. One object per thread; it holds only memory, no answers.
#pragma once

#include <memory>

#include "driftless/equations/manifold.h"
#include "driftless/modelfile/compiled/formula_book.h"
#include "driftless/modelfile/structure/form_plan.h"

namespace driftless {

// The expressions as a program of (components, time, held, rates); shared by all probes.
class ProbeFormulas {
 public:
  // Expressions in the slots of the reduction.
  ProbeFormulas(Reduction& reduction, const FormPlan& plan, std::span<const std::uint32_t> held,
                std::vector<Expr> expressions, Engine engine);
  // One of the expressions of `whole` alone.
  ProbeFormulas(const ProbeFormulas& whole, std::size_t which);

  std::size_t size() const { return values_->size(); }
  bool needs_rates() const { return needs_rates_; }

 private:
  friend class ModelProbe;
  void prepare();

  std::shared_ptr<FormulaBook> book_;
  std::unique_ptr<std::vector<Expr>> values_;
  std::unique_ptr<LazyVector> program_;
  std::uint32_t rates_ = 0;
  std::size_t rate_count_ = 0;
  bool needs_rates_ = false;
};

class ModelProbe {
 public:
  ModelProbe(std::shared_ptr<const ProbeFormulas> formulas, const Equations& equations, HeldValues held);

  // False if the rates cannot be computed at this state.
  bool values(double t, ConstSpan state, Span out);
  // That the last values were computed from; empty if they need none.
  ConstSpan rates() const { return rates_; }

 private:
  std::shared_ptr<const ProbeFormulas> formulas_;
  Equations equations_;
  HeldValues held_;
  Vector rates_;
  std::unique_ptr<Manifold> manifold_;
};

}  // namespace driftless
