// The functions of a form, made from a plan; and the form itself for given values of what is held between events.
#pragma once

#include "driftless/equations/equations.h"
#include "driftless/modelfile/compiled/formula_book.h"
#include "driftless/modelfile/structure/form_plan.h"

namespace driftless {

// Formulas of one form, shared by all Equations made from it.
class ModelEquations {
 public:
  virtual ~ModelEquations() = default;
  // `held` in the order given to make_model_equations().
  virtual Equations equations(HeldValues held) const = 0;
};

// `held`: slots of the graph with values that only events change.
std::shared_ptr<const ModelEquations> make_model_equations(const Reduction& reduction, const FormPlan& plan,
                                                           std::span<const std::uint32_t> held, Engine engine);

// As they are, but for numbers at those that occur twice.
Names distinct_names(Names names);

}  // namespace driftless
